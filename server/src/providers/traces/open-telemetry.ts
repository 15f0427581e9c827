import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { runInTrace, type Tracing } from '../../core/tracing.ts'

/** Longer texts do not help, and collectors have limits. */
const TEXT_MAX = 1_000
const STOP_MS = 1_000
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, job: SpanKind.CONSUMER } as const

/**
 * Sends spans to an OpenTelemetry collector, in batches. Imported only if there is one. OpenTelemetry's own
 * instrumentation is not used, because it replaces modules while they are loaded.
 */
export function createTracing(endpoint: string): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'sought' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
    spanLimits: { attributeValueLengthLimit: TEXT_MAX },
  })
  const tracer = provider.getTracer('sought')
  const running = new AsyncLocalStorage<Context>()
  return {
    isActive: () => running.getStore() !== undefined,
    begin({ name, kind, attributes = {} }) {
      const parent = (kind === 'client' && running.getStore()) || ROOT_CONTEXT
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent)
      return {
        run: (work) => {
          const { traceId } = span.spanContext()
          return runInTrace({ trace_id: traceId }, () => running.run(trace.setSpan(parent, span), work))
        },
        end({ error, attributes: results = {} } = {}) {
          span.setAttributes(results)
          if (error) span.setAttribute('error.type', typeOf(error)).setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    // An unresponsive collector delays nothing, but the last spans are lost.
    stop: () => Promise.race([provider.shutdown().catch(() => {}), wait(STOP_MS, undefined, { ref: false })]),
  }
}

/** The type of the error, not its message, which may quote parameters. */
function typeOf(error: unknown): string {
  if (typeof error === 'object' && error && 'code' in error && error.code) return String(error.code)
  return error instanceof Error ? error.name : 'error'
}
