import { expect, test } from 'vitest'
import { siteOf } from '../../../pages/page-head.ts'
import { changeSettings } from '../../../testing/change-settings.ts'
import { openWorld } from '../../../testing/world.ts'
import { boardPageHead, itemPageHead } from './page-head.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Music', location: 'Ipoh', maxBudget: 50 }
const UNKNOWN = 'Category is required'

test('requests, sellers, pages and the sitemap use the categories from the settings', async () => {
  const { services, signUp, visitor } = await openWorld({ PUBLIC_URL: 'https://market.example' })
  const ada = await signUp('Ada')
  const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
  await changeSettings(services, { categories: ['Vélos & Motos', 'Other'] })

  const categories = ['Vélos & Motos', 'Other']
  expect((await visitor('GET /api/categories')).json()).toEqual(categories.map((name) => ({ name })))
  expect((await visitor('GET /api/config')).json().market.categories).toEqual(categories)

  const refused = await ada.call('POST /api/wanted-items', lamp)
  expect(refused.statusCode).toBe(422)
  expect(refused.json().issues).toEqual([{ path: 'category', message: UNKNOWN }])
  const bike = { ...lamp, title: 'Bike', category: 'Vélos & Motos' }
  expect((await ada.call('POST /api/wanted-items', bike)).statusCode).toBe(201)

  const sell = (...names: string[]) => ada.call('PUT /api/user/selling', { categories: names })
  expect((await sell('Vélos & Motos')).json().categories).toEqual(['Vélos & Motos'])
  expect((await sell('Other', 'Music')).json().issues).toEqual([{ path: 'categories.1', message: UNKNOWN }])

  const site = siteOf(services)
  const headOf = (slug: string) => boardPageHead({ name: 'category', params: { slug }, query: {} }, site)
  expect(headOf('vélos-motos')).toMatchObject({
    title: 'Vélos & Motos wanted',
    url: 'https://market.example/c/v%C3%A9los-motos',
  })
  expect(headOf('music')).toBe('missing')
  const pages = (await visitor('GET /sitemap/pages.xml')).body
  expect(pages).toContain('https://market.example/c/v%C3%A9los-motos')
  expect(pages).not.toContain('/c/music')
  // The category of the older request no longer has a page.
  const crumbs = { breadcrumbs: [{ name: 'Sought' }, { name: 'Lamp' }] }
  expect(await itemPageHead(services.database.read, `/item/${id}`, site, new Date())).toMatchObject(crumbs)
})

test('a request keeps a removed category until its owner chooses another', async () => {
  const { services, signUp, visitor } = await openWorld()
  const ada = await signUp('Ada')
  const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
  await changeSettings(services, { categories: ['Boats', 'Other'] })
  const edit = async (category: string) => {
    const reply = await ada.call(`PUT /api/wanted-items/${id}`, { ...lamp, title: 'Red lamp', category })
    return reply.statusCode === 200 ? reply.json().category : reply.json().issues
  }
  expect(await edit('Music')).toBe('Music')
  expect((await visitor('GET /api/wanted-items?category=Music')).json()).toMatchObject([
    { title: 'Red lamp' },
  ])
  expect(await edit('Sports')).toEqual([{ path: 'category', message: UNKNOWN }])
  expect(await edit('Boats')).toBe('Boats')
  expect(await edit('Music')).toEqual([{ path: 'category', message: UNKNOWN }])
})
