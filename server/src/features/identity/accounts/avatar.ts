import { avatarNames, replaceAvatar, writeAvatar } from '../../../files/avatar-files.ts'
import { removeFiles } from '../../../files/files.ts'
import { removeUnlessSaved } from '../../../files/stored-files.ts'
import type { User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { lockOwnAccount } from './profile.ts'
import { updateUser } from './queries.ts'

/**
 * Replaces the profile picture. Decodes it before taking a database connection. The later of two concurrent
 * uploads wins, and the files of the other are removed.
 */
export async function uploadAvatar(
  { database, files }: Pick<Services, 'database' | 'files'>,
  uploaded: Uint8Array,
  { id }: Pick<User, 'id'>,
): Promise<User> {
  const avatar = await writeAvatar(files, uploaded, id)
  const { user, old } = await removeUnlessSaved(files, avatarNames(avatar.sizes), () =>
    database.transact(async (tx) => {
      await lockOwnAccount(tx, id)
      const old = await replaceAvatar(tx, id, avatar)
      return { old, user: await updateUser(tx, id, { profileImageUrl: avatar.url }) }
    }),
  )
  await removeFiles(files, old)
  return user
}
