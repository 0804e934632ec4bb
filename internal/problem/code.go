package problem

import "net/http"

// Code is a stable, machine-readable name of a kind of error.
type Code string

// The codes of the API. Status and texts of each stand in the registry.
const (
	MalformedJSON          Code = "malformed_json"
	InvalidRequest         Code = "invalid_request"
	IdempotencyKeyInvalid  Code = "idempotency_key_invalid"
	IdempotencyKeyRequired Code = "idempotency_key_required"
	Unauthorized           Code = "unauthorized"
	APIKeyExpired          Code = "api_key_expired"
	APIKeyRevoked          Code = "api_key_revoked"
	PaymentDeclined        Code = "payment_declined"
	Forbidden              Code = "forbidden"
	NotFound               Code = "not_found"
	MethodNotAllowed       Code = "method_not_allowed"
	Conflict               Code = "conflict"
	IdempotencyInProgress  Code = "idempotency_in_progress"
	ResourceInUse          Code = "resource_in_use"
	InvalidState           Code = "invalid_state"
	AlreadyExists          Code = "already_exists"
	PreconditionFailed     Code = "precondition_failed"
	RequestTooLarge        Code = "request_too_large"
	UnsupportedMediaType   Code = "unsupported_media_type"
	ValidationFailed       Code = "validation_failed"
	IdempotencyKeyReused   Code = "idempotency_key_reused"
	RateLimited            Code = "rate_limited"
	InternalError          Code = "internal_error"
	ServiceUnavailable     Code = "service_unavailable"
	OutcomeUnknown         Code = "outcome_unknown"
)

// Definition is what the registry knows of a code.
type Definition struct {
	Code   Code
	Status int
	Title  Text
	// Advice says what the caller does next; it is the detail of a problem that
	// brings none of its own, and the page of the code in the documentation.
	Advice Text
}

// Definitions returns the registry, ordered by status. The slice is the caller's.
func Definitions() []Definition {
	return []Definition{
		{MalformedJSON, http.StatusBadRequest, T("JSON malformado", "Malformed JSON"), T(
			"O corpo não é um JSON válido. Corrija-o e envie de novo; nenhuma chave de idempotência foi usada.",
			"The body is not valid JSON. Correct it and send it again; no idempotency key was used.")},
		{InvalidRequest, http.StatusBadRequest, T("Requisição inválida", "Invalid request"), T(
			"Um cabeçalho ou cursor não pôde ser lido. Comece a lista de novo, sem o cursor.",
			"A header or cursor could not be read. Start the list again, without the cursor.")},
		{IdempotencyKeyInvalid, http.StatusBadRequest, T("Chave de idempotência inválida", "Invalid idempotency key"), T(
			"Envie no cabeçalho Idempotency-Key um texto de 1 a 255 bytes; recomendamos um UUID v4 por operação.",
			"Send a text of 1 to 255 bytes in the Idempotency-Key header; we recommend one UUID v4 per operation.")},
		{IdempotencyKeyRequired, http.StatusBadRequest, T("Chave de idempotência obrigatória", "Idempotency key required"), T(
			"Esta chave de API exige o cabeçalho Idempotency-Key em todo POST.",
			"This API key requires the Idempotency-Key header on every POST.")},
		{Unauthorized, http.StatusUnauthorized, T("Não autenticado", "Unauthorized"), T(
			"Envie uma credencial válida em Authorization: Bearer.",
			"Send a valid credential in Authorization: Bearer.")},
		{APIKeyExpired, http.StatusUnauthorized, T("Chave de API expirada", "API key expired"), T(
			"A chave de API passou da validade. Crie outra no painel.",
			"The API key is past its expiry. Create another one in the dashboard.")},
		{APIKeyRevoked, http.StatusUnauthorized, T("Chave de API revogada", "API key revoked"), T(
			"A chave de API foi revogada ou substituída. Use a chave atual.",
			"The API key was revoked or replaced. Use the current key.")},
		{PaymentDeclined, http.StatusPaymentRequired, T("Pagamento recusado", "Payment declined"), T(
			"O provedor recusou o pagamento.",
			"The provider declined the payment.")},
		{Forbidden, http.StatusForbidden, T("Sem permissão", "Forbidden"), T(
			"O acesso não inclui esta operação.",
			"The access does not include this operation.")},
		{NotFound, http.StatusNotFound, T("Não encontrado", "Not found"), T(
			"O recurso não existe nesta empresa.",
			"The resource does not exist in this company.")},
		{MethodNotAllowed, http.StatusMethodNotAllowed, T("Método não permitido", "Method not allowed"), T(
			"O caminho existe, mas não aceita este método; veja o cabeçalho Allow.",
			"The path exists but does not take this method; see the Allow header.")},
		{Conflict, http.StatusConflict, T("Conflito", "Conflict"), T(
			"A operação conflita com o estado atual; leia o recurso e decida de novo.",
			"The operation conflicts with the current state; read the resource and decide again.")},
		{IdempotencyInProgress, http.StatusConflict, T("Requisição em andamento", "Request in progress"), T(
			"A primeira requisição com esta chave de idempotência ainda não terminou. Espere e repita a mesma requisição com a mesma chave; não gere outra.",
			"The first request with this idempotency key has not ended yet. Wait and repeat the same request with the same key; do not make a new one.")},
		{ResourceInUse, http.StatusConflict, T("Recurso em uso", "Resource in use"), T(
			"Outros registros se referem a este; ele não pode ser excluído.",
			"Other records refer to this one; it cannot be deleted.")},
		{InvalidState, http.StatusConflict, T("Situação não permite", "Invalid state"), T(
			"A situação atual do recurso não permite esta ação.",
			"The current status of the resource does not allow this action.")},
		{AlreadyExists, http.StatusConflict, T("Já existe", "Already exists"), T(
			"Já existe um registro com este valor, que é único.",
			"A record with this value, which is unique, exists already.")},
		{PreconditionFailed, http.StatusPreconditionFailed, T("Versão desatualizada", "Precondition failed"), T(
			"O recurso mudou desde a versão informada em If-Match. Leia-o de novo e refaça a alteração.",
			"The resource has changed since the version given in If-Match. Read it again and redo the change.")},
		{RequestTooLarge, http.StatusRequestEntityTooLarge, T("Requisição grande demais", "Request too large"), T(
			"O corpo passa de 1 MiB (1.048.576 bytes).",
			"The body is over 1 MiB (1,048,576 bytes).")},
		{UnsupportedMediaType, http.StatusUnsupportedMediaType, T("Tipo de conteúdo não aceito", "Unsupported media type"), T(
			"Envie o corpo como application/json, sem Content-Encoding.",
			"Send the body as application/json, without Content-Encoding.")},
		{ValidationFailed, http.StatusUnprocessableEntity, T("Dados inválidos", "Validation failed"), T(
			"Um ou mais campos são inválidos; veja errors.",
			"One or more members are invalid; see errors.")},
		{IdempotencyKeyReused, http.StatusUnprocessableEntity, T("Chave de idempotência reutilizada", "Idempotency key reused"), T(
			"Esta chave de idempotência já foi usada em outra requisição; veja differs. Gere uma chave nova para cada operação diferente.",
			"This idempotency key was already used for another request; see differs. Make a new key for each different operation.")},
		{RateLimited, http.StatusTooManyRequests, T("Limite de requisições", "Rate limited"), T(
			"Requisições demais. Espere o tempo de Retry-After e repita, com a mesma chave de idempotência.",
			"Too many requests. Wait for Retry-After and repeat, with the same idempotency key.")},
		{InternalError, http.StatusInternalServerError, T("Erro interno", "Internal error"), T(
			"Algo falhou do nosso lado e nada foi gravado. Repita com a mesma chave de idempotência; se persistir, informe o request_id ao suporte.",
			"Something failed on our side and nothing was written. Repeat with the same idempotency key; if it persists, give the request_id to support.")},
		{ServiceUnavailable, http.StatusServiceUnavailable, T("Serviço indisponível", "Service unavailable"), T(
			"O serviço não pôde concluir a requisição agora. Repita com a mesma chave de idempotência.",
			"The service could not complete the request now. Repeat with the same idempotency key.")},
		{OutcomeUnknown, http.StatusGatewayTimeout, T("Resultado desconhecido", "Outcome unknown"), T(
			"O provedor não respondeu e ainda não sabemos o resultado. Repita a mesma requisição com a mesma chave; nada será cobrado duas vezes.",
			"The provider did not answer and the outcome is not known yet. Repeat the same request with the same key; nothing will be charged twice.")},
	}
}

// Lookup returns the definition of code; ok is false for a code that is not registered.
func Lookup(code Code) (def Definition, ok bool) {
	def, ok = byCode[code]
	return def, ok
}

// byCode is never written after the package is initialised.
var byCode = index(Definitions()) //nolint:gochecknoglobals // a table, read only

func index(defs []Definition) map[Code]Definition {
	m := make(map[Code]Definition, len(defs))
	for _, d := range defs {
		m[d.Code] = d
	}
	return m
}
