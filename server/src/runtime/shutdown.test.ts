import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import fastify from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../testing/world.ts'
import { drainConnections, trackRequests } from './drain.ts'
import { createListeners } from './listeners.ts'
import { stopParts } from './stop-parts.ts'
import { countWaitingConnections } from './waiting-connections.ts'

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

test('a process that is never idle still stops listening', async () => {
  const app = fastify()
  const listeners = createListeners(app)
  await listeners.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  let spinning = true
  const spin = () => {
    const end = performance.now() + 20
    while (performance.now() < end);
    if (spinning) setImmediate(spin)
  }
  spin()
  onTestFinished(() => {
    spinning = false
  })
  const begun = performance.now()
  await drainConnections(listeners, { ready: true })
  expect(performance.now() - begun).toBeLessThan(10_000)
  expect(app.server.listening).toBe(false)
})

/** Another thread that sends requests on command. `statuses` resolves with the statuses of the replies. */
async function openVisitors(url: string) {
  const visitors = new Worker(
    `const { parentPort, workerData: url } = require('node:worker_threads')
     parentPort.on('message', (count) => {
       const visits = Array.from({ length: count }, () => fetch(url).then(({ status }) => status, String))
       Promise.all(visits).then((statuses) => parentPort.postMessage(statuses))
     })`,
    { eval: true, workerData: url },
  )
  onTestFinished(async () => void (await visitors.terminate()))
  const statuses = once(visitors, 'message')
  await once(visitors, 'online')
  return { visit: (count: number) => visitors.postMessage(count), statuses }
}

async function listen() {
  const app = fastify()
  app.get('/', () => 'ok')
  const listeners = createListeners(app)
  const url = await listeners.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return { listeners, address: listeners.address() ?? expect.fail(), ...(await openVisitors(url)) }
}

// Only Linux shows how many connections wait.
describe.runIf(process.platform === 'linux')('when the server stops listening', () => {
  test('connections that wait to be accepted are answered', { tags: ['proof'] }, async () => {
    const { listeners, address, visit, statuses } = await listen()
    expect(countWaitingConnections(address)).toBe(0)
    visit(5)
    // Blocks the event loop, so that nothing is accepted meanwhile.
    while (countWaitingConnections(address) !== 5);
    await drainConnections(listeners, { ready: true })
    expect(await statuses).toEqual([[200, 200, 200, 200, 200]])
  })

  test('connections that arrive while they are counted are answered', { tags: ['proof'] }, async () => {
    const { listeners, address, visit, statuses } = await listen()
    let isFirst = true
    await drainConnections(listeners, { ready: true }, () => {
      const waiting = countWaitingConnections(address)
      if (isFirst) visit(3)
      while (isFirst && countWaitingConnections(address) !== 3);
      isFirst = false
      return waiting
    })
    expect(await statuses).toEqual([[200, 200, 200]])
  })
})

test('a process that cannot stop in time logs the requests that it cuts off', async () => {
  const app = fastify()
  const { promise: answered, resolve: answer } = Promise.withResolvers<string>()
  app.get('/item/:id', () => answered)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const unfinished = trackRequests(app)
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const stop = () => new Promise(() => {})
  const isStopped = vi.fn(async () => {})
  const parts = [
    { name: 'database', stop: isStopped },
    { name: 'server', stop, unfinished },
  ]

  const replies = [fetch(`${url}/item/7?token=secret`), fetch(`${url}/item/8`)]
  await vi.waitFor(() => expect(unfinished()).toEqual(['GET /item/… (2)']))
  expect(await stopParts(parts, 50)).toBe(false)
  expect(isStopped).not.toHaveBeenCalled()
  expect(errors.mock.calls).toEqual([['Not stopped within 0.05 seconds: server. Cut off: GET /item/… (2).']])

  answer('ok')
  await Promise.all(replies)
  await vi.waitFor(() => expect(unfinished()).toEqual([]))
})

test('the parts of a process all drain first and are then stopped in reverse order', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  const events: string[] = []
  const part = (name: string) => ({
    name,
    drain: async () => void events.push(`drain ${name}`),
    stop: async () => void events.push(`stop ${name}`),
  })
  const failing = { name: 'mailer', stop: () => Promise.reject(new Error('no connection')) }
  expect(await stopParts([part('database'), failing, part('server')], 60_000)).toBe(true)
  expect(events).toEqual(['drain database', 'drain server', 'stop server', 'stop database'])
  expect(errors.mock.calls).toMatchObject([['mailer did not stop cleanly:', { message: 'no connection' }]])
})
