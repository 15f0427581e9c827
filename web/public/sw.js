/*
 * Shows push notifications, and an offline page when there is no connection. Nothing else is cached: pages and data
 * always come from the server, so that users never see an old version or another user's data.
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

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showPush(event.data.json()))
})

/** Shows no notification while a page of ours has the focus, because that page shows the change itself. */
async function showPush({ title, text, path, tag }) {
  const pages = await self.clients.matchAll({ type: 'window' })
  if (pages.some((page) => page.focused)) return
  await self.registration.showNotification(title, { body: text, tag, icon: '/icon-192.png', data: { path } })
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPath(event.notification.data.path))
})

async function openPath(path) {
  const url = new URL(path, self.location.origin)
  if (url.origin !== self.location.origin) return
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const opened = await page?.navigate(url.href).catch(() => null)
  await (opened ? opened.focus() : self.clients.openWindow(url.href))
}
