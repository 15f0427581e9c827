import * as calls from '@sought/contract/photos'
import { photoNames, writePhoto } from '../../../files/photo-files.ts'
import { removeUnlessSaved } from '../../../files/stored-files.ts'
import { on, type Route } from '../../../http/route.ts'
import { sendPrivatePicture } from '../../../http/serve-files.ts'
import type { Services } from '../../../services.ts'
import { findReadablePhoto, savePhoto } from './actions.ts'

export function photoRoutes({ database, files, config }: Services): Route[] {
  const { transact } = database
  return [
    on(calls.uploadPhoto)(async ({ file, user }) => {
      // Decoding is slow, so it happens before a database connection is taken.
      const written = await writePhoto(files, file.bytes, user.id)
      return removeUnlessSaved(files, photoNames(written.fileId), () =>
        transact((tx) => savePhoto(tx, written, user)),
      )
    }),

    on(calls.getPhoto)(async ({ params, query, user, reply }) => {
      const photo = await transact((tx) => findReadablePhoto(tx, config, params.id, query.size, user))
      return sendPrivatePicture(reply, files, photo, 'photo_not_found')
    }),
  ]
}
