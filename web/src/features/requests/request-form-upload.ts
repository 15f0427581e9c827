import { IMAGE_MAX_BYTES } from '@sought/contract/constants'
import { uploadItemImage } from '@sought/contract/requests'
import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { upload } from '../../lib/upload.ts'

/** A picture on its way to the server, with what the browser itself can show of it. */
export type Picture = { file: File; previewUrl: string } & (
  | { state: 'uploading'; progress: number }
  | { state: 'stored' }
  | { state: 'failed'; words: string; retryable: boolean }
)

/** The server has judged the file itself: sending it again would change nothing. */
const REFUSED_FILE_STATUSES = [413, 415, 422]

export type PictureUpload = ReturnType<typeof usePictureUpload>

/** Sends the picture of a request as soon as it is chosen, and says where it was stored. */
export function usePictureUpload(onStored: (imageUrl: string) => void) {
  const [picture, setPicture] = useState<Picture | null>(null)
  const underWay = useRef<{ stop: AbortController; stored: Promise<boolean> } | null>(null)

  const previewUrl = picture?.previewUrl
  useEffect(() => () => URL.revokeObjectURL(previewUrl ?? ''), [previewUrl])
  useEffect(() => () => underWay.current?.stop.abort(), [])

  async function put(file: File, previewUrl: string, { signal }: AbortController): Promise<boolean> {
    const show = (state: DistributiveOmit<Picture, 'file' | 'previewUrl'>) => {
      if (!signal.aborted) setPicture({ file, previewUrl, ...state })
    }
    show({ state: 'uploading', progress: 0 })
    try {
      const onProgress = (progress: number) => show({ state: 'uploading', progress })
      const { imageUrl } = await upload(uploadItemImage, {}, file, { onProgress, signal })
      onStored(imageUrl)
      show({ state: 'stored' })
      return true
    } catch (error) {
      show({ state: 'failed', ...whyFailed(error) })
      return signal.aborted
    }
  }

  function start(file: File, previewUrl: string): void {
    const stop = new AbortController()
    underWay.current = { stop, stored: put(file, previewUrl, stop) }
  }

  return {
    picture,
    choose(file: File): void {
      const refusal = refusalOf(file)
      if (refusal) toast({ ...refusal, variant: 'destructive' })
      else start(file, URL.createObjectURL(file))
    },
    retry(): void {
      if (picture) start(picture.file, picture.previewUrl)
    },
    remove(): void {
      underWay.current?.stop.abort()
      underWay.current = null
      setPicture(null)
    },
    /** Waits for an upload that is under way. False when the picture did not get through. */
    settled: () => underWay.current?.stored ?? Promise.resolve(true),
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

/** What can be told from the file alone, in the words of spec §5 and §8. */
function refusalOf(file: File): { title: string; description: string } | null {
  if (!file.type.startsWith('image/')) {
    return { title: 'Invalid file type', description: 'Please upload an image file (JPG, PNG, etc.)' }
  }
  if (file.size > IMAGE_MAX_BYTES) {
    return { title: 'File Too Large', description: 'Please choose a picture of at most 10MB.' }
  }
  return null
}

function whyFailed(error: unknown): { words: string; retryable: boolean } {
  const refused = error instanceof CallError ? error : null
  return {
    words: refused?.userMessage ?? 'The picture could not be uploaded.',
    retryable: !REFUSED_FILE_STATUSES.includes(refused?.status ?? 0),
  }
}
