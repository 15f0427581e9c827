import { AsyncLocalStorage } from 'node:async_hooks'

/*
 * Traces show the steps of a request or a job and their durations. Spans contain names, request ids and results.
 * They contain no parameters, bodies or addresses, and no error messages, which quote them (ADR 74).
 */

/** As OpenTelemetry names it in logs. Empty outside a trace. */
export interface RunningTrace {
  trace_id?: string
}

const traces = new AsyncLocalStorage<RunningTrace>()

/** Every line of the log has it, so that traces and lines lead to each other. */
export const runningTrace = (): RunningTrace => traces.getStore() ?? {}

export const runInTrace = <Result>(trace: RunningTrace, work: () => Result): Result => traces.run(trace, work)

export interface SpanStart {
  name: string
  kind: 'server' | 'client' | 'job'
  attributes?: Record<string, string>
}

export interface Span {
  /** Everything that `work` starts, even later, is part of the span. */
  run<Result>(work: () => Result): Result
  end(result?: { error?: unknown; attributes?: Record<string, string | number> }): void
}

export interface Tracing {
  /** Whether a span is running here. */
  isActive(): boolean
  /** A span of a server or a job starts a trace. Any other span is part of the running span. */
  begin(start: SpanStart): Span
  stop(): Promise<void>
}
