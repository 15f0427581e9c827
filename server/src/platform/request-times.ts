/*
 * How long requests took, as Prometheus reads a histogram. It is counted on every answer and read once in a while, so
 * that counting adds to three numbers and the text is written when it is asked for.
 */

const NAME = 'http_request_duration_seconds'
const HELP = 'How long requests took, by route and status'
const BOUNDS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

interface Series {
  labels: string
  /** How many took at most as long as the bound of the same place, but longer than the one before it. */
  counts: number[]
  count: number
  sumSeconds: number
}

export interface RequestTimes {
  observe(method: string, route: string, status: number, seconds: number): void
  /** In Prometheus' text format. */
  text(): string
}

export function countRequestTimes(): RequestTimes {
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
      const at = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound)
      if (at >= 0) series.counts[at] = (series.counts[at] ?? 0) + 1
    },
    text() {
      const all = [...routes.values()].flatMap((ofRoute) => [...ofRoute.values()])
      return [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...all.flatMap(lines), ''].join('\n')
    },
  }
}

function newSeries(method: string, route: string, status: number): Series {
  const labels = `method="${method}",route="${escaped(route)}",status="${status}"`
  return { labels, counts: BOUNDS_SECONDS.map(() => 0), count: 0, sumSeconds: 0 }
}

/** Prometheus counts in each bucket what is in the smaller ones too. */
function lines({ labels, counts, count, sumSeconds }: Series): string[] {
  let sum = 0
  const buckets = BOUNDS_SECONDS.map((bound, at) => {
    sum += counts[at] ?? 0
    return `${NAME}_bucket{le="${bound}",${labels}} ${sum}`
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
