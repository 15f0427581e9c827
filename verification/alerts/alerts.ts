import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, run } from '../../scripts/child.ts'
import { ensureProgram } from '../support/debian-packages.ts'
import type { Part } from '../support/part.ts'

const FOLDER = join(root, 'deploy/prometheus')
const RULE = / {6}- alert: (\w+)\n {8}expr: (.+)\n(?: {8}.*\n)+/g
const TEST = / {2}- interval: .+\n(?: {4}.*\n)+/g
/** Replacements for an expression, with which its alert never or always fires. The tests must notice both. */
const MUTATIONS = { never: 'vector(0) > 0', always: 'vector(1)' }

/**
 * Prometheus' own tool checks the rules and runs their tests. Then the rules are mutated to check that the tests
 * fail.
 */
export const alerts: Part = async () => {
  const promtool = await ensureProgram('promtool', 'prometheus')
  const folder = await mkdtemp(join(tmpdir(), 'sought-alerts-'))
  const [rulesFile, testsFile] = [join(folder, 'rules.yml'), join(folder, 'rules.test.yml')]
  const test = () => run(promtool, ['test', 'rules', testsFile])
  try {
    await cp(FOLDER, folder, { recursive: true })
    const [rules, tests] = [await readFile(rulesFile, 'utf8'), await readFile(testsFile, 'utf8')]
    const checked = await run(promtool, ['check', 'rules', rulesFile])
    const tested = await test()
    const testHead = tests.slice(0, tests.search(TEST))
    const found = [...rules.matchAll(RULE)]
    const unnoticed: string[] = []
    for (const [rule, name = '', expression = ''] of found) {
      const own = (tests.match(TEST) ?? []).filter((text) => text.includes(`alertname: ${name}\n`))
      await writeFile(testsFile, testHead + own.join(''))
      for (const [effect, replacement] of Object.entries(MUTATIONS)) {
        const mutated = rule.replace(expression, () => replacement)
        await writeFile(rulesFile, `groups:\n  - name: mutated\n    rules:\n${mutated}`)
        if (own.length === 0 || (await test()).ok) unnoticed.push(`no test fails if ${name} ${effect} fires`)
      }
    }
    const failures = [checked, tested].filter(({ ok }) => !ok).map(({ output }) => output)
    return [
      { what: 'alert rules, tested with promtool', times: found.length, violations: failures },
      { what: 'mutated alert rules', times: found.length * 2, violations: unnoticed },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}
