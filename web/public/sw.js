/*
 * Shows a page of its own when there is no connection. Nothing else is kept: pages and data always come from the server,
 * so nobody sees an old version or another person's data.
 */
const CACHE = 'offline-1'
const OFFLINE_PAGE = '/offline.html'

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.add(new Request(OFFLINE_PAGE, { cache: 'reload' }))),
  )
})

self.addEventListener('activate', (event) => {
  const removeOthers = (names) =>
    Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
  event.waitUntil(caches.keys().then(removeOthers))
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || event.request.method !== 'GET') return
  event.respondWith(
    fetch(event.request).catch(async () => (await caches.match(OFFLINE_PAGE)) ?? Response.error()),
  )
})
