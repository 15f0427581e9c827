import { fillPath } from '@sought/contract/call'
import { paths } from '@sought/contract/paths'
import { getPhoto } from '@sought/contract/photos'
import type { ReportKind } from '@sought/contract/reports'
import type { Db } from '../../../database/database.ts'
import { FILES_PATH } from '../../../files/stored-files.ts'
import { asPublicUser, publicName } from '../../users/public-user.ts'
import * as contentQueries from './content-queries.ts'
import type { Case } from './queries.ts'

export interface Content {
  title: string | null
  text: string | null
  pictures: string[]
  path: string | null
  isHidden: boolean
}

type Target = Pick<Case, 'kind' | 'targetId'>

/** The number of messages before and after a reported one that a moderator sees after claiming the case. */
const CONTEXT_REACH = 10

export const keyOf = ({ kind, targetId }: Target) => `${kind} ${targetId}`

/** The current content of each target, by `keyOf`. Leaves out content that no longer exists. */
export async function readContents(db: Db, targets: Target[]): Promise<Map<string, Content>> {
  const idsOf = (kind: ReportKind) =>
    targets.filter((target) => target.kind === kind).map(({ targetId }) => targetId)
  const contents = new Map<string, Content>()
  for (const [kind, read] of Object.entries(readers) as [ReportKind, Reader][]) {
    const ids = idsOf(kind)
    if (ids.length === 0) continue
    for (const [targetId, content] of await read(db, ids)) contents.set(keyOf({ kind, targetId }), content)
  }
  return contents
}

type Reader = (db: Db, ids: string[]) => Promise<[string, Content][]>

const readers: Record<ReportKind, Reader> = {
  request: async (db, ids) => {
    const found = await contentQueries.findRequests(db, ids.map(Number))
    return found.map(({ id, title, description, images, hiddenAt }) => [
      String(id),
      {
        title,
        text: description,
        pictures: images.flatMap(({ pictureUrl }) => pictureUrl ?? []),
        path: hiddenAt ? null : paths.item(id),
        isHidden: hiddenAt !== null,
      },
    ])
  },

  message: async (db, ids) => {
    const found = await contentQueries.findMessages(db, ids.map(Number))
    const photos = Map.groupBy(
      await contentQueries.findPhotosOf(db, ids.map(Number)),
      ({ messageId }) => messageId,
    )
    return found.map(({ message, title }) => [
      String(message.id),
      {
        title,
        text: message.content,
        pictures: (photos.get(message.id) ?? []).map(({ id }) => fillPath(getPhoto.path, { id })),
        path: null,
        isHidden: message.hiddenAt !== null,
      },
    ])
  },

  profile: async (db, ids) => {
    const found = await contentQueries.findProfiles(db, ids)
    return found.map((user) => [
      user.id,
      {
        title: publicName(user),
        text: user.bio,
        pictures: user.profileImageUrl === null ? [] : [user.profileImageUrl],
        path: user.deletedAt ? null : paths.user(user.id),
        isHidden: user.profileHiddenAt !== null,
      },
    ])
  },

  review: async (db, ids) => {
    const found = await contentQueries.findReviews(db, ids.map(Number))
    return found.map(({ review, title }) => [
      String(review.id),
      {
        title,
        text: review.text,
        pictures: [],
        path: paths.user(review.subjectId),
        isHidden: review.hiddenAt !== null,
      },
    ])
  },

  picture: async (db, addresses) => {
    const names = addresses.filter(isPublic).map((address) => address.slice(FILES_PATH.length))
    const photoIds = addresses.filter((address) => !isPublic(address)).map(photoIdIn)
    const contents: [string, Content][] = (await contentQueries.findPhotoFiles(db, photoIds)).map(
      ({ id, hiddenAt }) => {
        const url = fillPath(getPhoto.path, { id })
        return [url, { title: null, text: null, pictures: [url], path: null, isHidden: hiddenAt !== null }]
      },
    )
    for (const { id, kind, ownerId, hiddenAt } of await contentQueries.findFiles(db, names)) {
      const url = FILES_PATH + id
      const item = await contentQueries.findRequestWith(db, url)
      const ownerPath = kind === 'avatar' && ownerId !== null ? paths.user(ownerId) : null
      contents.push([
        url,
        {
          title: item?.title ?? null,
          text: null,
          pictures: [url],
          path: item && !item.hiddenAt ? paths.item(item.id) : ownerPath,
          isHidden: hiddenAt !== null,
        },
      ])
    }
    return contents
  },
}

const isPublic = (address: string) => address.startsWith(FILES_PATH)
const photoIdIn = (address: string) => Number(address.slice(address.lastIndexOf('/') + 1))

/** Private pictures are shown only to the moderator who has claimed the case (`findReadablePhoto`). */
export function withoutPrivatePictures(content: Content): Content {
  return { ...content, pictures: content.pictures.filter(isPublic) }
}

export async function readContext(db: Db, { kind, targetId }: Target) {
  if (kind !== 'message') return []
  const id = Number(targetId)
  const found = await contentQueries.findContext(db, id, CONTEXT_REACH)
  return found.map(({ message, sender }) => ({
    by: asPublicUser(sender),
    text: message.content,
    isReported: message.id === id,
    createdAt: message.createdAt,
  }))
}
