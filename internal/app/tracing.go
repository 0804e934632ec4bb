package app

import (
	"context"
	"fmt"

	"github.com/exaring/otelpgx"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"

	"fatureihoje/internal/db"
)

// tracing sends spans to an OpenTelemetry collector. Without an endpoint there
// is none, and nothing is measured for it.
type tracing struct {
	provider *sdktrace.TracerProvider
}

// startTracing reads the exporter's other settings from the standard OTEL_
// variables.
func startTracing(ctx context.Context, endpoint string) (*tracing, error) {
	if endpoint == "" {
		return &tracing{}, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	about := resource.NewSchemaless(semconv.ServiceName("fatureihoje"), semconv.ServiceVersion(Version))
	return &tracing{sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))}, nil
}

// tracer names spans of the HTTP layer; nil without an endpoint.
func (t *tracing) tracer() trace.Tracer {
	if t.provider == nil {
		return nil
	}
	return t.provider.Tracer("fatureihoje/httpapi")
}

// queries traces statements by their text, never with their values.
func (t *tracing) queries() db.QueryTracer {
	if t.provider == nil {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithTracerProvider(t.provider), otelpgx.WithDisableConnectionDetailsInAttributes())
}

// stop sends what is left.
func (t *tracing) stop(ctx context.Context) error {
	if t.provider == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}
