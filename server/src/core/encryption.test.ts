import { createDecipheriv, scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createEncryption as createWithKeys, Unreadable } from './encryption.ts'
import { createKeys } from './keys.ts'

const createEncryption = (...keys: string[]) => createWithKeys(createKeys(keys))

const { seal, open } = createEncryption('a secret of the test')
const text = '{"iban":"DE89370400440532013000","name":"Ada Łucja 🏦"}'

const bytesOf = (sealed: string) => Buffer.from(sealed.split(':')[1] ?? '', 'base64url')

describe('encryption', () => {
  test('returns the original text after decryption, also in another process', async () => {
    const sealed = await seal(text, 'ada')
    expect(await open(sealed, 'ada')).toBe(text)
    expect(await createEncryption('a secret of the test').open(sealed, 'ada')).toBe(text)
    expect(await open(await seal('', 'ada'), 'ada')).toBe('')
  })

  test('uses AES-256-GCM with a key derived by scrypt, a format that must stay readable', async () => {
    const stored = 'v1:mVOUqyEW_wBUcj7z2T9DESBIG3grn25Tkr7WgHeRBhLGEQIJFyyGE4ynL7UHWPnUg4eePKGLws4'
    const sealed = await seal(text, 'ada')
    const bytes = bytesOf(sealed)
    const key = scryptSync('a secret of the test', 'sought/data-key/v1', 32)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from('v1:ada')).setAuthTag(bytes.subarray(12, 28))
    expect(decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')).toBe(text)
    expect(await open(stored, 'ada')).toBe('written by the first version')
  })

  test('reveals nothing of the text and produces a different result every time', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => seal(text, 'ada')))
    expect(new Set(all).size).toBe(100)
    expect(new Set(all.map((sealed) => sealed.slice(0, 19))).size).toBe(100)
    for (const sealed of all) {
      expect(sealed).toMatch(/^v1:[\w-]+:[\w-]{8}$/)
      const bytes = bytesOf(sealed)
      // Shorter parts occur in random bytes by chance.
      expect(['"iban"', 'DE8937', 'Łucja'].filter((part) => bytes.includes(part))).toEqual([])
    }
  })
})

describe('with several keys', () => {
  const [OLD, NEW] = ['the first secret', 'the second secret']
  const old = createEncryption(OLD)
  const both = createEncryption(NEW, OLD)

  test('the first encrypts, and all decrypt', async () => {
    expect(await both.open(await old.seal(text, 'ada'), 'ada')).toBe(text)
    const sealed = await both.seal(text, 'ada')
    expect(await createEncryption(NEW).open(sealed, 'ada')).toBe(text)
    await expect(old.open(sealed, 'ada')).rejects.toThrow(Unreadable)
  })

  test('texts say which key has encrypted them, and those of version 0.2 are tried with all', async () => {
    const sealed = await both.seal(text, 'ada')
    expect(sealed.split(':')[2]).toBe(await createEncryption(NEW).keyId())
    expect(await both.keyId()).not.toBe(await old.keyId())
    const withoutId = (await old.seal(text, 'ada')).split(':').slice(0, 2).join(':')
    expect(await both.open(withoutId, 'ada')).toBe(text)
    await expect(both.open(`${withoutId}:anotherk`, 'ada')).rejects.toThrow(Unreadable)
  })

  test('another key can be chosen to write', async () => {
    const keys = createKeys([NEW, OLD])
    keys.writeWith(OLD)
    expect(await old.open(await createWithKeys(keys).seal(text, 'ada'), 'ada')).toBe(text)
  })

  test('the hashes of all are recognised', async () => {
    for (const encryption of [old, both]) {
      expect(await both.isHashOf(await encryption.hash('123456'), '123456')).toBe(true)
      expect(await both.isHashOf(await encryption.hash('123456'), '123457')).toBe(false)
    }
    expect(await old.isHashOf(await both.hash('123456'), '123456')).toBe(false)
  })
})

describe('decryption fails', () => {
  test('for another secret, another owner or another version', async () => {
    const sealed = await seal(text, 'ada')
    await expect(createEncryption('another secret').open(sealed, 'ada')).rejects.toThrow(Unreadable)
    await expect(open(sealed, 'bob')).rejects.toThrow(Unreadable)
    await expect(open(sealed.replace('v1:', 'v2:'), 'ada')).rejects.toThrow(Unreadable)
    await expect(open(sealed, 'ada')).resolves.toBe(text)
  })

  test('for a change of any single byte', async () => {
    const sealed = await seal(text, 'ada')
    const bytes = bytesOf(sealed)
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await expect(open(`v1:${changed.toString('base64url')}`, 'ada'), `byte ${at}`).rejects.toThrow(
        Unreadable,
      )
    }
  })

  test.each([
    '',
    'v1:',
    'v1',
    ':',
    'plain text',
    '{"iban":"DE89370400440532013000"}',
    `v1:${'A'.repeat(37)}`,
  ])('for text that was never encrypted: %j', async (sealed) => {
    await expect(open(sealed, 'ada')).rejects.toThrow(Unreadable)
  })

  test('for a truncated text', async () => {
    const sealed = await seal(text, 'ada')
    for (const kept of [sealed.length - 1, sealed.length - 12, 60, 30, 10]) {
      await expect(open(sealed.slice(0, kept), 'ada'), String(kept)).rejects.toThrow(Unreadable)
    }
  })

  test('with an error that names the variable to check', async () => {
    const sealed = await seal(text, 'ada')
    await expect(createEncryption('another secret').open(sealed, 'ada')).rejects.toThrow(/DATA_KEY/)
  })
})
