import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('the process ends even if one of its exit listeners throws', () => {
  const script = `
    import { exitProcess } from ${JSON.stringify(new URL('./exit-process.ts', import.meta.url).href)}
    process.on('exit', () => { throw new Error('the log has no reader') })
    process.on('uncaughtException', () => {})
    setTimeout(() => process.exit(5), 2_000)
    exitProcess(3)`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script])
  expect(status).toBe(3)
})
