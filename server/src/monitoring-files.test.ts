import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { METRICS_ACCESS, openWorld } from './testing/world.ts'

/*
 * Checks that the rules, the dashboard and the runbooks match each other and the server. `npm run proof -- alerts`
 * tests the rules.
 */

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

const PROMETHEUS_OWN = ['up']
const PROMQL_WORDS =
  /^(sum|max|by|or|unless|time|rate|increase|absent|topk|histogram_quantile|max_over_time)$/

/** The metric names in an expression: its words, without labels, strings, durations and PromQL's own words. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\bby \([^)]*\)/g, ' ')
  return (bare.match(/\b[a-z_]+[a-z0-9_]*\b/g) ?? []).filter((word) => !PROMQL_WORDS.test(word))
}

async function readRules() {
  const text = await read('deploy/prometheus/rules.yml')
  const pattern =
    /- alert: (\w+)\n +expr: (.+)\n(?: +for: .+\n)?.*\n +severity: (\w+)\n.*\n +summary: .+\n +runbook: (.+)/g
  const rules = [...text.matchAll(pattern)].map(([, name = '', expression = '', severity, runbook]) => {
    return { name, expression, severity, runbook }
  })
  expect(rules).toHaveLength(text.match(/- alert:/g)?.length ?? 0)
  return rules
}

async function readDashboard() {
  const { panels }: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(
    await read('deploy/grafana/sought.json'),
  )
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

test('the server has every metric that the rules and the dashboard use', async () => {
  const { visitor } = await openWorld()
  const { body } = await visitor('GET /metrics', undefined, METRICS_ACCESS)
  const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const known = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  const rules = await readRules()
  const dashboard = await readDashboard()
  expect(dashboard.length).toBeGreaterThan(30)
  const named = [...rules.map(({ expression }) => expression), ...dashboard].flatMap(metricsIn)
  expect([...new Set(named)].filter((name) => ![...known, ...PROMETHEUS_OWN].includes(name))).toEqual([])
  // All metrics of the market appear in a rule or on the dashboard.
  const own = known.filter((name) => name.startsWith('sought_'))
  expect(own.filter((name) => !named.includes(name))).toEqual([])
})

test('every alert has a runbook and a test, and every runbook has an alert', async () => {
  const rules = await readRules()
  const names = rules.map(({ name }) => name)
  const [guide = '', ...runbooks] = (await read('docs/operations.md')).split(/^### /m)
  expect(guide).toContain('## Runbooks')
  expect(runbooks.map((text) => text.split('\n', 1)[0])).toEqual(names)
  for (const text of runbooks)
    expect(text).toMatch(/\*\*Means\.\*\* [\s\S]+\*\*Check\.\*\* [\s\S]+\*\*Do\.\*\* /)
  const tests = await read('deploy/prometheus/rules.test.yml')
  for (const { name, severity, runbook } of rules) {
    expect(severity).toMatch(/^(critical|warning)$/)
    expect(runbook).toBe(`docs/operations.md#${name.toLowerCase()}`)
    expect(tests).toContain(`alertname: ${name}\n        exp_alerts: []`)
    expect(tests).toContain(`alertname: ${name}\n        exp_alerts:\n`)
  }
})
