import { pictureVariant } from '@sought/contract/pictures'
import type { FastifyReply } from 'fastify'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { FileStore } from '../files/files.ts'
import { FILES_PATH, insertPublicPicture, pictureFile, storeFile } from '../files/stored-files.ts'
import { shareWorld } from '../testing/world.ts'
import { sendPrivateFile } from './serve-files.ts'

const world = shareWorld()

async function storePicture(kind: 'request_image' | 'avatar'): Promise<string> {
  const { services, signUp } = world()
  const { id } = await signUp('Ada')
  const [widthPixels, heightPixels] = [400, 300]
  const bytes = await sharp({
    create: { width: widthPixels, height: heightPixels, channels: 3, background: '#284' },
  })
    .webp()
    .toBuffer()
  return storeFile(services.files, pictureFile({ bytes, widthPixels, heightPixels }), (stored) =>
    services.database.transact((tx) => insertPublicPicture(tx, stored, kind, id)),
  )
}

const statusOf = async (path: string) => (await world().visitor(`GET ${path}`)).statusCode

test('only pictures of requests have variants', async () => {
  const [picture, avatar] = [await storePicture('request_image'), await storePicture('avatar')]
  expect(await statusOf(pictureVariant(picture, 320, 'webp'))).toBe(200)
  expect(await statusOf(avatar)).toBe(200)
  expect(await statusOf(pictureVariant(avatar, 320, 'webp'))).toBe(404)
})

test('a file that the storage has lost is not found', async () => {
  const picture = await storePicture('avatar')
  await world().services.files.remove(picture.slice(FILES_PATH.length))
  expect(await statusOf(picture)).toBe(404)
  const empty = { get: async () => null } as Partial<FileStore> as FileStore
  const file = { fileId: 'a', name: 'a.webp', mimeType: 'image/webp' }
  const sent = sendPrivateFile({} as FastifyReply, empty, file, 'photo_not_found')
  await expect(sent).rejects.toMatchObject({ code: 'photo_not_found' })
})
