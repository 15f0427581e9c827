import { expect, test } from 'vitest'
import { freePort, PORTS } from './free-port.ts'

/** `fetch` fails with 'bad port' for blocked ports, and with a refused connection for unused ones. */
async function isRefusedUnasked(port: number): Promise<boolean> {
  const failure: unknown = await fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error)
  return (
    failure instanceof TypeError && failure.cause instanceof Error && failure.cause.message === 'bad port'
  )
}

test('ports are chosen above the last one that fetch blocks', async () => {
  const [lowest, end] = PORTS
  expect(await isRefusedUnasked(lowest - 1)).toBe(true)
  expect(await isRefusedUnasked(lowest)).toBe(false)
  const port = await freePort()
  expect(port).toBeGreaterThanOrEqual(lowest)
  expect(port).toBeLessThan(end)
})
