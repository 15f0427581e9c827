import { IMAGE_MAX_BYTES, PHOTOS_MAX } from '@sought/contract/constants'
import { type Photo, uploadPhoto } from '@sought/contract/photos'
import { useEffect, useState } from 'react'
import { toast } from '../../data/toasts.ts'
import { upload } from '../../data/upload.ts'
import { useRevokedPreviews } from '../uploads/previews.ts'
import { describeUploadFailure } from '../uploads/upload-failure.ts'
import { smallPhotoUrl } from './photo-grid.tsx'

/** A photo that was not sent yet. */
export type DraftPhoto = { key: string; name: string; previewUrl: string } & (
  | { state: 'uploading'; file: File; progress: number }
  | { state: 'stored'; photo: Photo }
  | { state: 'failed'; file: File; message: string; canRetry: boolean }
)

export type Photos = ReturnType<typeof usePhotos>

/**
 * The photos of a message or an offer. Each is uploaded as soon as it is selected. With a key, the browser stores
 * them.
 */
export function usePhotos(draftKey?: string) {
  const [photos, setPhotos] = useState<readonly DraftPhoto[]>(() => loadDraft(draftKey))
  const update = (key: string, change: (photo: DraftPhoto) => DraftPhoto) =>
    setPhotos((all) => all.map((it) => (it.key === key ? change(it) : it)))
  const stored = photos.flatMap((it) => (it.state === 'stored' ? it.photo : []))
  useRevokedPreviews(photos)
  useEffect(() => {
    storeDraft(draftKey, photos)
  }, [draftKey, photos])

  async function send(key: string, file: File): Promise<void> {
    update(key, (it) => ({ ...it, state: 'uploading', file, progress: 0 }))
    try {
      const onProgress = (progress: number) =>
        update(key, (it) => ({ ...it, state: 'uploading', file, progress }))
      const photo = await upload(uploadPhoto, {}, file, { onProgress })
      update(key, (it) => ({ ...it, state: 'stored', photo }))
    } catch (error) {
      update(key, (it) => ({ ...it, state: 'failed', file, ...describeUploadFailure(error) }))
    }
  }

  return {
    photos,
    stored,
    isFull: photos.length >= PHOTOS_MAX,
    /** Whether all of them can be sent. */
    isReady: stored.length === photos.length,
    add(files: readonly File[]): void {
      const room = PHOTOS_MAX - photos.length
      if (files.length > room)
        toast({ title: `Up to ${PHOTOS_MAX} photos`, description: 'Send the others separately.' })
      for (const file of files.slice(0, room)) {
        const key = crypto.randomUUID()
        const added = { key, name: file.name, previewUrl: URL.createObjectURL(file), file }
        if (file.size > IMAGE_MAX_BYTES) {
          const message = `${file.name} is too large (max 10MB)`
          setPhotos((all) => [...all, { ...added, state: 'failed', message, canRetry: false }])
        } else {
          setPhotos((all) => [...all, { ...added, state: 'uploading', progress: 0 }])
          void send(key, file)
        }
      }
    },
    remove: (key: string) => setPhotos((all) => all.filter((it) => it.key !== key)),
    retry: (key: string) => {
      const photo = photos.find((it) => it.key === key)
      if (photo?.state === 'failed') void send(key, photo.file)
    },
    clear: () => setPhotos([]),
  }
}

/** The pictures among pasted or dropped files. */
export const picturesIn = ({ files }: DataTransfer): File[] =>
  [...files].filter(({ type }) => type.startsWith('image/'))

function loadDraft(key: string | undefined): DraftPhoto[] {
  try {
    const photos: Photo[] = key ? JSON.parse(localStorage.getItem(key) ?? '[]') : []
    return photos.map((photo) => ({
      key: String(photo.id),
      name: 'Your photo',
      previewUrl: smallPhotoUrl(photo),
      state: 'stored',
      photo,
    }))
  } catch {
    return []
  }
}

function storeDraft(key: string | undefined, photos: readonly DraftPhoto[]): void {
  if (!key) return
  const stored = photos.flatMap((it) => (it.state === 'stored' ? it.photo : []))
  try {
    if (stored.length > 0) localStorage.setItem(key, JSON.stringify(stored))
    else localStorage.removeItem(key)
  } catch {
    // Storage is full or disabled. Photos can still be sent.
  }
}
