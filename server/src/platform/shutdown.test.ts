import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openWorld } from '../testing/world.ts'

test('unused browser connections do not delay the shutdown', async () => {
  const { app } = await openWorld()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const unused = connect(port, '127.0.0.1')
  await new Promise((resolve) => app.server.once('connection', resolve))
  const begun = performance.now()
  await app.close()
  expect(performance.now() - begun).toBeLessThan(2_000)
  unused.destroy()
})
