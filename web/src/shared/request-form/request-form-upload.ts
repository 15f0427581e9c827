import { IMAGE_MAX_BYTES, IMAGES_MAX } from '@sought/contract/constants'
import { uploadItemImage } from '@sought/contract/requests'
import { useEffect, useRef, useState } from 'react'
import { toast } from '../../data/toasts.ts'
import { upload } from '../../data/upload.ts'
import { useRevokedPreviews } from '../uploads/previews.ts'
import { describeUploadFailure } from '../uploads/upload-failure.ts'
import type { FormImage } from './request-form-state.ts'

/** A picture in the form. Its preview is null if it is on another site and we have no copy. */
export type FormPicture = { key: string; name: string; previewUrl: string | null; alt: string } & (
  | { state: 'uploading'; file: File; progress: number }
  | { state: 'stored'; url: string }
  | { state: 'failed'; file: File; message: string; canRetry: boolean }
)

export type FormPictures = ReturnType<typeof useFormPictures>

/** The pictures of a request in the order of the form. Each is uploaded as soon as it is chosen. */
export function useFormPictures(initial: () => FormPicture[], onChange: (images: FormImage[]) => void) {
  const [pictures, setPictures] = useState(initial)
  const [problem, setProblem] = useState<string>()
  const latest = useRef(pictures)
  const running = useRef(new Map<string, { controller: AbortController; isStored: Promise<boolean> }>())

  useRevokedPreviews(pictures)
  useEffect(
    () => () => {
      for (const { controller } of running.current.values()) controller.abort()
    },
    [],
  )

  function change(next: FormPicture[]): void {
    latest.current = next
    setPictures(next)
    onChange(next.flatMap((it) => (it.state === 'stored' ? { url: it.url, alt: it.alt } : [])))
  }

  const update = (key: string, part: (picture: FormPicture) => FormPicture) =>
    change(latest.current.map((it) => (it.key === key ? part(it) : it)))

  async function send(key: string, file: File, { signal }: AbortController): Promise<boolean> {
    try {
      const onProgress = (progress: number) =>
        update(key, (it) => ({ ...it, state: 'uploading', file, progress }))
      onProgress(0)
      const { imageUrl } = await upload(uploadItemImage, {}, file, { onProgress, signal })
      update(key, (it) => ({ ...it, state: 'stored', url: imageUrl }))
      return true
    } catch (error) {
      if (!signal.aborted)
        update(key, (it) => ({
          ...it,
          state: 'failed',
          file,
          ...describeUploadFailure(error, 'The picture could not be uploaded.'),
        }))
      return signal.aborted
    }
  }

  function start(key: string, file: File): void {
    const controller = new AbortController()
    running.current.set(key, { controller, isStored: send(key, file, controller) })
  }

  /** The chosen files that still fit within the limit. */
  function take<Added>(added: readonly Added[]): Added[] {
    const room = IMAGES_MAX - latest.current.length
    setProblem(
      added.length > room
        ? `A request has at most ${IMAGES_MAX} pictures. The others were not added.`
        : undefined,
    )
    return added.slice(0, room)
  }

  return {
    pictures,
    /** Why some pictures could not be added. */
    problem,
    isFull: pictures.length >= IMAGES_MAX,
    add(files: readonly File[]): void {
      for (const file of take(files)) {
        const refusal = checkFile(file)
        if (refusal) {
          toast({ ...refusal, variant: 'destructive' })
          continue
        }
        const key = crypto.randomUUID()
        const previewUrl = URL.createObjectURL(file)
        const added = {
          key,
          name: file.name,
          previewUrl,
          alt: '',
          state: 'uploading',
          file,
          progress: 0,
        } as const
        change([...latest.current, added])
        start(key, file)
      }
    },
    addLink(url: string): void {
      for (const added of take([url]))
        change([...latest.current, storedPicture({ url: added, alt: '' }, null)])
    },
    retry(key: string): void {
      const picture = latest.current.find((it) => it.key === key)
      if (picture?.state === 'failed') start(key, picture.file)
    },
    remove(key: string): void {
      running.current.get(key)?.controller.abort()
      running.current.delete(key)
      setProblem(undefined)
      change(latest.current.filter((it) => it.key !== key))
    },
    describe: (key: string, alt: string) => update(key, (it) => ({ ...it, alt })),
    /** Moves a picture to another position. */
    move(key: string, to: number): void {
      const picture = latest.current.find((it) => it.key === key)
      const others = latest.current.filter((it) => it.key !== key)
      if (picture) change(others.toSpliced(to, 0, picture))
    },
    /** Waits for running uploads. False if one failed. */
    waitUntilDone: async () => {
      const results = await Promise.all([...running.current.values()].map(({ isStored }) => isStored))
      return results.every(Boolean)
    },
  }
}

export const storedPicture = ({ url, alt }: FormImage, previewUrl: string | null): FormPicture => ({
  key: crypto.randomUUID(),
  name: url.startsWith('/files/') ? 'Your picture' : (URL.parse(url)?.hostname ?? url),
  previewUrl: url.startsWith('/files/') ? url : previewUrl,
  alt,
  state: 'stored',
  url,
})

/** The checks that the browser can make before the upload. */
function checkFile(file: File): { title: string; description: string } | null {
  if (!file.type.startsWith('image/')) {
    return { title: 'Invalid file type', description: 'Please upload an image file (JPG, PNG, etc.)' }
  }
  if (file.size > IMAGE_MAX_BYTES) {
    return { title: 'File Too Large', description: 'Please choose a picture of at most 10MB.' }
  }
  return null
}
