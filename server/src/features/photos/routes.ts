import { getPhoto, uploadPhoto } from '@sought/contract/photos'
import { removePhoto, writePhoto } from '../../platform/photo-files.ts'
import { on, type Route } from '../../platform/route.ts'
import { sendPrivatePicture } from '../../platform/serve-files.ts'
import type { Services } from '../../platform/services.ts'
import { openPhoto, savePhoto } from './actions.ts'

export function photoRoutes(services: Services): Route[] {
  const { database, files } = services
  const { transact } = database
  return [
    on(uploadPhoto)(async ({ file, user }) => {
      // Decoding is slow, so it happens before a database connection is taken.
      const written = await writePhoto(files, file.bytes)
      try {
        return await transact((tx) => savePhoto(tx, written, user))
      } catch (error) {
        await removePhoto(files, written.fileId)
        throw error
      }
    }),

    on(getPhoto)(async ({ params, query, user, reply }) =>
      sendPrivatePicture(reply, await transact((tx) => openPhoto(tx, services, params.id, query.size, user))),
    ),
  ]
}
