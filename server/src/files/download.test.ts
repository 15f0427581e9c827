import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createDownloads } from './download.ts'

const MAX_BYTES = 1000

/** A server on this machine that downloads reach with any host name. */
async function serve(listener: RequestListener) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const resolve = vi.fn(async (_host: string) => ['127.0.0.1'])
  const isAllowed = (address: string) => address === '127.0.0.1'
  const downloads = (options: Parameters<typeof createDownloads>[0] = {}) =>
    createDownloads({ resolve, isAllowed, ports: [port], timeoutMs: 500, ...options })
  const get = (path: string, options?: Parameters<typeof createDownloads>[0]) =>
    downloads(options).get(`http://pictures.example:${port}${path}`, MAX_BYTES)
  return { get, downloads, port, requests, resolve }
}

test('a download connects to the checked address, with the name in the Host header', async () => {
  const { get, port, requests, resolve } = await serve((_, response) => response.end('picture'))
  expect((await get('/a.png?b=c')).toString()).toBe('picture')
  expect(requests).toEqual([`pictures.example:${port} /a.png?b=c`])
  expect(resolve.mock.calls).toEqual([['pictures.example']])
})

test('a name is resolved only once, so its address cannot change between check and connection', async () => {
  const { get, requests } = await serve((_, response) => response.end('picture'))
  const resolve = vi.fn(async () => ['10.0.0.1']).mockResolvedValueOnce(['127.0.0.1'])
  await get('/', { resolve })
  expect(resolve).toHaveBeenCalledTimes(1)
  expect(requests).toHaveLength(1)
})

test('a name with one private address among others is refused', async () => {
  const { get, requests } = await serve((_, response) => response.end('picture'))
  for (const addresses of [['127.0.0.1', '10.0.0.1'], ['::ffff:10.0.0.1'], []])
    await expect(get('/', { resolve: async () => addresses })).rejects.toThrow('address not allowed')
  expect(requests).toEqual([])
})

test('without injected rules, addresses of this machine are refused in every notation', async () => {
  const downloads = createDownloads()
  for (const host of [
    '127.0.0.1',
    'localhost',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '169.254.169.254',
  ])
    await expect(downloads.get(`http://${host}/`, MAX_BYTES), host).rejects.toThrow('address not allowed')
})

test.each([
  ['https://user@pictures.example/', 'credentials'],
  ['https://:secret@pictures.example/', 'credentials'],
  ['http://pictures.example:22/', 'port'],
  ['http://pictures.example:8080/', 'port'],
  ['ftp://pictures.example/', 'protocol'],
  ['file:///etc/passwd', 'protocol'],
])('the address %s is refused', async (url, reason) => {
  const resolve = vi.fn(async () => ['127.0.0.1'])
  const downloads = createDownloads({ resolve, isAllowed: () => true })
  await expect(downloads.get(url, MAX_BYTES)).rejects.toThrow(reason)
  expect(resolve).not.toHaveBeenCalled()
})

test('three redirects are followed and each is checked; a fourth is refused', async () => {
  const { get, port, requests } = await serve(({ url }, response) => {
    const left = Number(url?.slice(1))
    if (left === 0) return void response.end('picture')
    response.writeHead(302, { location: `http://hop${left}.example:${port}/${left - 1}` }).end()
  })
  expect((await get('/3')).toString()).toBe('picture')
  expect(requests.map((request) => request.split(':')[0])).toEqual([
    'pictures.example',
    'hop3.example',
    'hop2.example',
    'hop1.example',
  ])
  await expect(get('/4')).rejects.toThrow('status 302')
  const resolve = async (host: string) => (host === 'hop1.example' ? ['192.168.1.1'] : ['127.0.0.1'])
  await expect(get('/2', { resolve })).rejects.toThrow('address not allowed')
})

test.each(['http://10.0.0.1/', 'file:///etc/passwd', 'http://pictures.example:25/', '//[::1]/'])(
  'a redirect to %s is refused',
  async (location) => {
    const { get } = await serve((_, response) => response.writeHead(301, { location }).end())
    await expect(get('/')).rejects.toThrow('not allowed')
  },
)

test('error statuses, too much data and slow servers are refused', { tags: ['proof'] }, async () => {
  const { get } = await serve(({ url }, response) => {
    if (url === '/404') response.writeHead(404, { location: '/' }).end('picture')
    if (url === '/large') response.end(Buffer.alloc(MAX_BYTES + 1))
    if (url === '/slow') response.write('picture')
  })
  await expect(get('/404')).rejects.toThrow('status 404')
  await expect(get('/large')).rejects.toThrow('too large')
  await expect(get('/slow')).rejects.toThrow()
  await expect(get('/silent')).rejects.toThrow()
  await expect(get('/', { resolve: () => new Promise(() => {}) })).rejects.toThrow('timeout')
  await expect(
    get('/', { resolve: () => Promise.reject(new Error('not found: secret.example')) }),
  ).rejects.toThrow('not reachable')
})
