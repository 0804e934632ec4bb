-- +goose Up

-- What an appointment is for. It comes after the catalogue, whose table it names.
ALTER TABLE appointments ADD COLUMN service_id uuid;
ALTER TABLE appointments ADD CONSTRAINT appointments_service_id_fkey
    FOREIGN KEY (tenant_id, service_id) REFERENCES services (tenant_id, id);
CREATE INDEX appointments_service_id_idx ON appointments (tenant_id, service_id) WHERE service_id IS NOT NULL;

-- +goose Down
ALTER TABLE appointments DROP COLUMN service_id;
