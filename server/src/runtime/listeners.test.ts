import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { createListeners } from './listeners.ts'
import { countWaitingConnections } from './waiting-connections.ts'

const HOST = '127.0.0.1'
const CLIENTS = 40

async function open() {
  const app = fastify()
  const { promise: answered, resolve: answer } = Promise.withResolvers<string>()
  app.get('/slow', () => answered)
  const listeners = createListeners(app)
  const url = await listeners.listen({ port: 0, host: HOST })
  onTestFinished(async () => {
    const closed = listeners.close()
    app.server.closeAllConnections()
    await Promise.all([closed, app.close()])
  })
  const address = listeners.address() ?? expect.fail()
  return { app, listeners, url, address, answer }
}

/** Connects from another thread. Returns once all connections wait, without turning the event loop in between. */
async function connectClients(address: AddressInfo): Promise<void> {
  const clients = new Worker(
    `const { workerData: { port, host, clients } } = require('node:worker_threads')
     for (let client = 0; client < clients; client++) require('node:net').connect(port, host)`,
    { eval: true, workerData: { port: address.port, host: HOST, clients: CLIENTS } },
  )
  onTestFinished(async () => void (await clients.terminate()))
  await once(clients, 'online')
  while (countWaitingConnections(address) !== CLIENTS);
}

// Only Linux shares a port among sockets and shows how many connections wait.
test.runIf(process.platform === 'linux')(
  'the server accepts several connections in one turn of the event loop',
  async () => {
    const { app, address } = await open()
    const acceptedInTurn = [0]
    const nextTurn = () => {
      acceptedInTurn.push(0)
      if (acceptedInTurn.reduce((sum, count) => sum + count) < CLIENTS) setImmediate(nextTurn)
    }
    app.server.on('connection', () => acceptedInTurn.push((acceptedInTurn.pop() ?? 0) + 1))
    await connectClients(address)
    setImmediate(nextTurn)
    await expect.poll(() => acceptedInTurn.reduce((sum, count) => sum + count)).toBe(CLIENTS)
    expect(Math.max(...acceptedInTurn)).toBeGreaterThan(3)
  },
)

test('the server does not share its port with another process', async () => {
  const { address } = await open()
  const other = createListeners(fastify())
  await expect(other.listen({ port: address.port, host: HOST })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('the server answers running requests of all sockets before it closes', async () => {
  const { app, listeners, url, address, answer } = await open()
  const requests = Array.from({ length: CLIENTS }, () => fetch(`${url}/slow`).then((reply) => reply.text()))
  let running = 0
  app.server.on('request', () => running++)
  await expect.poll(() => running).toBe(CLIENTS)
  let isClosed = false
  const closed = listeners.close().then(() => {
    isClosed = true
  })
  const [error] = await once(connect(address.port, HOST), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  expect(isClosed).toBe(false)
  answer('done')
  expect(await Promise.all(requests)).toEqual(Array(CLIENTS).fill('done'))
  app.server.closeIdleConnections()
  await closed
})
