import { expect, test } from 'vitest'
import { auditPage } from './audit-page.ts'

const URL = 'http://localhost:3000/'
const report = { categories: { performance: { score: 1 } } }
const succeeded = { stdout: JSON.stringify(report), stderr: '' }
const failed = {
  stdout: JSON.stringify({
    runtimeError: {
      code: 'NO_NAVSTART',
      message: 'The trace has no start.\nPlease run Lighthouse again. (NO_NAVSTART)',
    },
    audits: 'x'.repeat(150_000),
  }),
  stderr: 'Runtime error encountered: '.repeat(1_000),
}
const crashed = { stdout: '', stderr: 'npm warn something\nnpm error could not reach the registry\n\n' }

function answer(...outcomes: { stdout: string; stderr: string }[]) {
  const urls: string[] = []
  const runLighthouse = async (url: string) => {
    urls.push(url)
    return outcomes[urls.length - 1] ?? succeeded
  }
  return { urls, runLighthouse }
}

test('a failed run of Lighthouse is repeated', async () => {
  const { urls, runLighthouse } = answer(failed, crashed)
  expect(await auditPage(URL, runLighthouse)).toEqual(report)
  expect(urls).toEqual([URL, URL, URL])
})

test('after three failed runs, one line gives the reason', async () => {
  const { urls, runLighthouse } = answer(crashed, failed, failed)
  await expect(auditPage(URL, runLighthouse)).rejects.toThrow(
    /^Lighthouse failed 3 times on http:\/\/localhost:3000\/: The trace has no start\. Please run Lighthouse again\. \(NO_NAVSTART\)$/,
  )
  expect(urls).toHaveLength(3)
})

test.each([
  [crashed, 'npm error could not reach the registry'],
  [{ stdout: '{', stderr: '' }, 'no report'],
  [{ stdout: '', stderr: 'x'.repeat(150_000) }, `${'x'.repeat(200)}`],
])('the reason is also short if there is no report', async (outcome, reason) => {
  const { runLighthouse } = answer(outcome, outcome, outcome)
  await expect(auditPage(URL, runLighthouse)).rejects.toThrow(
    new Error(`Lighthouse failed 3 times on ${URL}: ${reason}`),
  )
})
