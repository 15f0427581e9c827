/*
 * A Prometheus histogram of request times. It is updated on every response, so updating only adds to three numbers;
 * the text is built when /metrics is read. ADR 35 has the comparison with prom-client.
 */

const NAME = 'http_request_duration_seconds'
const HELP = 'Request duration by route and status'
const BOUNDS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

interface Series {
  labels: string
  /** One count per bucket, not cumulative. */
  counts: number[]
  count: number
  sumSeconds: number
}

export interface RequestTimes {
  observe(method: string, route: string, status: number, seconds: number): void
  /** In Prometheus' text format. */
  text(): string
}

export function createRequestTimes(): RequestTimes {
  const routes = new Map<string, Map<string, Series>>()

  function seriesOf(method: string, route: string, status: number): Series {
    const ofRoute = routes.get(route) ?? new Map<string, Series>()
    routes.set(route, ofRoute)
    const key = `${method} ${status}`
    const series = ofRoute.get(key) ?? newSeries(method, route, status)
    ofRoute.set(key, series)
    return series
  }

  return {
    observe(method, route, status, seconds) {
      const series = seriesOf(method, route, status)
      series.count++
      series.sumSeconds += seconds
      const index = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound)
      if (index >= 0) series.counts[index] = (series.counts[index] ?? 0) + 1
    },
    text() {
      const all = [...routes.values()].flatMap((ofRoute) => [...ofRoute.values()])
      return [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...all.flatMap(seriesLines), ''].join(
        '\n',
      )
    },
  }
}

function newSeries(method: string, route: string, status: number): Series {
  const labels = `method="${method}",route="${escaped(route)}",status="${status}"`
  return { labels, counts: BOUNDS_SECONDS.map(() => 0), count: 0, sumSeconds: 0 }
}

/** Prometheus buckets are cumulative. */
function seriesLines({ labels, counts, count, sumSeconds }: Series): string[] {
  let cumulative = 0
  const buckets = BOUNDS_SECONDS.map((bound, index) => {
    cumulative += counts[index] ?? 0
    return `${NAME}_bucket{le="${bound}",${labels}} ${cumulative}`
  })
  return [
    ...buckets,
    `${NAME}_bucket{le="+Inf",${labels}} ${count}`,
    `${NAME}_sum{${labels}} ${sumSeconds}`,
    `${NAME}_count{${labels}} ${count}`,
  ]
}

function escaped(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')
}
