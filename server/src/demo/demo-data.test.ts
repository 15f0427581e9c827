import { readdirSync, readFileSync } from 'node:fs'
import { BankAccount } from '@sought/contract/sellers'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { conversations, type DemoConversation } from './conversations.ts'
import { deals } from './deals.ts'
import { payoutSetups } from './payout-setups.ts'
import { type DemoPerson, people } from './people.ts'
import { type DemoRequest, requests } from './requests.ts'

const everyone: readonly DemoPerson[] = people
const everything: readonly DemoRequest[] = requests

const everyConversation: readonly DemoConversation[] = [...conversations, ...deals]

const picturesFolder = new URL('./pictures/', import.meta.url)
const avatarsFolder = new URL('avatars/', picturesFolder)
const photosFolder = new URL('photos/', picturesFolder)
const evidenceFolder = new URL('evidence/', picturesFolder)
const svgsIn = (folder: URL) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.svg'))
    .sort()

const named = (names: readonly (string | null)[]) => names.filter((name) => name !== null).sort()
const repeated = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index)
const requestsOf = (key: string) => everything.filter((request) => request.by === key)

test('requests and conversations name people and requests that exist', () => {
  const keys: readonly string[] = everyone.map(({ key }) => key)
  const subjects = everything.map(({ key }) => key)
  for (const { by } of everything) expect(keys).toContain(by)
  for (const { about, with: other, steps } of everyConversation) {
    expect(subjects).toContain(about)
    for (const person of [other, ...steps.map(({ by }) => by)]) expect(keys).toContain(person)
  }
})

describe('the people', () => {
  test('are fourteen, four of them without an avatar', () => {
    expect(everyone).toHaveLength(14)
    expect(everyone.filter((person) => person.avatar === null)).toHaveLength(4)
  })

  test('have unique keys and email addresses', () => {
    expect(repeated(everyone.map((person) => person.key))).toEqual([])
    expect(repeated(everyone.map((person) => person.email))).toEqual([])
    for (const person of everyone) expect(person.email).toMatch(/^[a-z]+@demo\.sought\.example$/)
  })

  test('include the sign-ins', () => {
    const emailOf = (key: string) => everyone.find((person) => person.key === key)?.email
    expect(emailOf('buyer')).toBe('buyer@demo.sought.example')
    expect(emailOf('seller')).toBe('seller@demo.sought.example')
    expect(emailOf('admin')).toBe('admin@demo.sought.example')
    expect(emailOf('moderator')).toBe('moderator@demo.sought.example')
  })

  test('are accepted by the profile form', () => {
    for (const { key, firstName, lastName, bio, location } of everyone) {
      expect(firstName.length, key).toBeGreaterThan(0)
      expect(firstName.length, key).toBeLessThanOrEqual(50)
      expect(lastName.length, key).toBeGreaterThan(0)
      expect(lastName.length, key).toBeLessThanOrEqual(50)
      expect(bio.length, key).toBeLessThanOrEqual(500)
      expect(location.length, key).toBeLessThanOrEqual(100)
    }
  })

  test('include one whose name is too long for most layouts', () => {
    const lengths = everyone.map((person) => `${person.firstName} ${person.lastName}`.length)
    expect(Math.max(...lengths)).toBeGreaterThan(50)
  })
})

describe('the requests', () => {
  test('are 60, 23 of them without a picture', () => {
    expect(everything).toHaveLength(60)
    expect(everything.filter((request) => request.pictures.length === 0)).toHaveLength(23)
  })

  test('include three with several pictures and their alt texts', () => {
    const several = everything.filter(({ pictures }) => pictures.length > 1)
    expect(several).toHaveLength(3)
    for (const { alt } of several.flatMap(({ pictures }) => pictures)) expect(alt).not.toBe('')
  })

  test('have unique keys and titles', () => {
    expect(repeated(everything.map((request) => request.key))).toEqual([])
    expect(repeated(everything.map((request) => request.title))).toEqual([])
  })

  test('fill every category', () => {
    const countIn = (category: string) => everything.filter((it) => it.category === category).length
    expect({
      Electronics: countIn('Electronics'),
      'Home & Garden': countIn('Home & Garden'),
      Automotive: countIn('Automotive'),
      Fashion: countIn('Fashion'),
      Sports: countIn('Sports'),
      Music: countIn('Music'),
      'Books & Media': countIn('Books & Media'),
      Other: countIn('Other'),
    }).toEqual({
      Electronics: 11,
      'Home & Garden': 10,
      Automotive: 6,
      Fashion: 7,
      Sports: 6,
      Music: 6,
      'Books & Media': 5,
      Other: 9,
    })
  })

  test('have an owner, and all people except two of the team have at least one', () => {
    const keys = everyone.map((person) => person.key)
    for (const request of everything) expect(keys, request.key).toContain(request.by)
    for (const key of keys.filter((it) => it !== 'moderator' && it !== 'mateus'))
      expect(requestsOf(key).length, key).toBeGreaterThan(0)
    expect(requestsOf('buyer')).toHaveLength(16)
    expect(requestsOf('seller')).toHaveLength(3)
    expect(requestsOf('admin')).toHaveLength(2)
  })

  test('have budgets that the server accepts, two of them open', () => {
    for (const { key, minBudget, maxBudget } of everything) {
      expect(minBudget, key).toBeGreaterThanOrEqual(0)
      if (maxBudget !== 0) expect(minBudget, key).toBeLessThanOrEqual(maxBudget)
      expect(Number(minBudget.toFixed(2)), key).toBe(minBudget)
      expect(Number(maxBudget.toFixed(2)), key).toBe(maxBudget)
    }
    expect(everything.filter((request) => request.maxBudget === 0)).toHaveLength(2)
    expect(everything.some((request) => !Number.isInteger(request.maxBudget))).toBe(true)
  })

  test('include enough urgent ones to fill the home page', () => {
    expect(everything.filter((request) => request.urgency === 'high')).toHaveLength(8)
    expect(everything.some((request) => request.urgency === 'medium')).toBe(true)
    expect(everything.some((request) => request.urgency === 'low')).toBe(true)
  })

  test('are minutes to nine weeks old, newest first, so that one expires soon and one has expired', () => {
    const hours = everything.map((request) => request.postedHoursAgo)
    expect(hours).toEqual([...hours].sort((a, b) => a - b))
    expect(Math.min(...hours)).toBeGreaterThan(0)
    expect(Math.min(...hours)).toBeLessThan(1)
    const days = hours.map((hour) => hour / 24)
    expect(days.filter((day) => day > 42 && day <= 53)).toEqual([])
    expect(days.filter((day) => day > 53 && day < 60)).toHaveLength(1)
    expect(days.filter((day) => day >= 60)).toHaveLength(1)
    expect(Math.max(...days)).toBeLessThan(63)
  })

  test('have titles under 100 characters, one close to this limit and one in another script', () => {
    const lengths = everything.map((request) => request.title.length)
    expect(Math.max(...lengths)).toBeGreaterThan(90)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(100)
    expect(everything.filter((request) => /\p{Script=Han}/u.test(request.title))).toHaveLength(1)
  })

  test('have a detailed description and a location', () => {
    for (const { key, description, location } of everything) {
      expect(description.length, key).toBeGreaterThan(80)
      expect(description.length, key).toBeLessThan(500)
      expect(location, key).not.toBe('')
    }
  })
})

describe('the conversations', () => {
  test('are 31, each about one request and with one other person', () => {
    expect(everyConversation).toHaveLength(31)
    expect(repeated(everyConversation.map((it) => `${it.about} ${it.with}`))).toEqual([])
  })

  test('are started by the other person and answered by the owner; admins only rule, write notes and pay', () => {
    for (const { about, with: other, steps } of everyConversation) {
      const owner = everything.find(({ key }) => key === about)?.by
      expect(steps[0]?.by, about).toBe(other)
      const admins = ['rule', 'take-over', 'note', 'give-goodwill', 'look-up-account', 'mark-paid']
      for (const { by, does } of steps) {
        expect(admins.includes(does) ? ['admin', 'mateus'] : [owner, other], about).toContain(by)
      }
    }
  })

  test('list their steps in order of time', () => {
    for (const { about, steps } of everyConversation) {
      const hours = steps.map(({ hoursAgo }) => hoursAgo)
      expect(hours, about).toEqual(hours.toSorted((one, two) => two - one))
    }
  })

  test('contain every kind of step', () => {
    const taken = new Set(everyConversation.flatMap(({ steps }) => steps.map(({ does }) => does)))
    expect([...taken].sort()).toEqual([
      'accept',
      'appeal',
      'cancel',
      'charge-back',
      'confirm',
      'counter',
      'deliver',
      'dispute',
      'give-goodwill',
      'look-up-account',
      'mark-paid',
      'note',
      'offer',
      'pay',
      'propose',
      'read',
      'reject',
      'review',
      'rule',
      'say',
      'ship',
      'show',
      'state',
      'take-over',
      'withdraw',
    ])
  })
})

describe('the payout set-ups', () => {
  test('have bank details that the form accepts', () => {
    for (const setup of payoutSetups) {
      if ('bank' in setup) expect(BankAccount.safeParse(setup.bank).error?.issues ?? [], setup.by).toEqual([])
    }
  })
})

describe('the pictures', () => {
  test('are exactly those that requests, people and disputes use', () => {
    expect(svgsIn(picturesFolder)).toEqual(
      named(everything.flatMap(({ pictures }) => pictures.map(({ file }) => file))),
    )
    expect(svgsIn(avatarsFolder)).toEqual(named(everyone.map((person) => person.avatar)))
    const photos = everyConversation.flatMap(({ steps }) => steps.filter((step) => step.does === 'show'))
    expect(svgsIn(evidenceFolder)).toEqual(named(photos.map(({ picture }) => picture)))
    const sent = everyConversation.flatMap(({ steps }) =>
      steps.flatMap((step) => ('photos' in step ? (step.photos ?? []) : [])),
    )
    expect(svgsIn(photosFolder).map((name) => `photos/${name}`)).toEqual(named(sent))
    expect(svgsIn(picturesFolder)).toHaveLength(41)
    expect(svgsIn(avatarsFolder)).toHaveLength(10)
    expect(svgsIn(evidenceFolder)).toHaveLength(3)
  })

  /** The lowest value and the standard deviation of one of four channels. sharp's stats() computes much more. */
  function spreadOf(pixels: Buffer, channel: number) {
    let [min, sum, sumOfSquares] = [255, 0, 0]
    for (let at = channel; at < pixels.length; at += 4) {
      const value = pixels[at] ?? 0
      if (value < min) min = value
      sum += value
      sumOfSquares += value * value
    }
    const count = pixels.length / 4
    return { min, deviation: Math.sqrt(sumOfSquares / count - (sum / count) ** 2) }
  }

  test.for([
    ...svgsIn(picturesFolder).map((name) => ({ name, folder: picturesFolder, width: 800, height: 600 })),
    ...svgsIn(evidenceFolder).map((name) => ({ name, folder: evidenceFolder, width: 800, height: 600 })),
    ...svgsIn(avatarsFolder).map((name) => ({ name, folder: avatarsFolder, width: 256, height: 256 })),
  ])('$name is small, safe and renders to $width by $height', async ({ name, folder, width, height }) => {
    const svg = readFileSync(new URL(name, folder))
    expect(svg.byteLength).toBeLessThan(8_000)
    expect(svg.toString()).toContain(`viewBox="0 0 ${width} ${height}"`)
    expect(svg.toString()).not.toMatch(/<(script|text|tspan|image|use|style|foreignObject|a)\b/i)
    expect(svg.toString()).not.toMatch(/href|font|data:|\son\w+=|<!|<\?|url\((?!#)/i)

    const { data: pixels, info } = await sharp(svg).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([width, height])
    const [red, green, blue, opacity] = [0, 1, 2, 3].map((channel) => spreadOf(pixels, channel))
    expect(opacity).toEqual({ min: 255, deviation: 0 })
    expect(Math.max(...[red, green, blue].map((colour) => colour?.deviation ?? 0))).toBeGreaterThan(15)
  })
})
