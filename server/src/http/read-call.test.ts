import { call } from '@sought/contract/call'
import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { refuse } from '../core/errors.ts'
import { createReader } from './read-call.ts'
import { answerWithin, on } from './route.ts'

const readWord = call({
  method: 'GET',
  path: '/api/words/:word',
  access: 'public',
  summary: 'Repeats a word',
  params: z.object({ word: z.string() }),
  reply: z.object({ word: z.string() }),
})
const readSecret = call({ ...readWord, path: '/api/secrets/:word', access: 'user' })

const wordRoute = on(readWord)(({ params: { word } }) => {
  if (word === 'refused') throw refuse('item_not_found')
  if (word === 'broken') throw new TypeError('a bug')
  return { word }
})
const secretRoute = on(readSecret)(({ params: { word } }) => ({ word }))
const visit = { user: null, request: {} as FastifyRequest }
const read = (path: string, word: string) =>
  createReader([wordRoute, secretRoute])(path, { params: { word } }, visit)

test('public calls are answered or refused', async () => {
  expect(await read(readWord.path, 'lamp')).toEqual({ reply: { word: 'lamp' } })
  expect(await read(readWord.path, 'refused')).toMatchObject({ refusal: { status: 404 } })
})

test('an unexpected error is not mistaken for a refusal', async () => {
  await expect(read(readWord.path, 'broken')).rejects.toThrow('a bug')
})

test('calls that need a user are refused', async () => {
  expect(await read(readSecret.path, 'lamp')).toBeUndefined()
  const input = { params: { word: 'lamp' }, ...visit, reply: {} as never }
  await expect(answerWithin(secretRoute, input)).rejects.toThrow('/api/secrets/:word is not public')
})
