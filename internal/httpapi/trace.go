package httpapi

import (
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// startSpan begins the request's span, as a child of the caller's own if it
// sent one. Its name and labels are the route's template, never an id.
func (x *exchange) startSpan() trace.Span {
	tracer := x.api.conf.Tracer
	if tracer == nil {
		return nil
	}
	ctx := propagation.TraceContext{}.Extract(x.r.Context(), propagation.HeaderCarrier(x.r.Header))
	ctx, span := tracer.Start(ctx, x.route.Method+" "+x.route.Path, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", x.route.Method),
		attribute.String("http.route", x.route.Path),
		attribute.String("request_id", x.requestID),
	))
	x.r = x.r.WithContext(ctx)
	return span
}

func (x *exchange) endSpan(span trace.Span) {
	if span == nil {
		return
	}
	span.SetAttributes(attribute.Int("http.response.status_code", x.status), attribute.Bool("idempotent_replayed", x.replayed))
	if x.status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, x.code)
	}
	span.End()
}
