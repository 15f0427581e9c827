import { IMAGE_MAX_BYTES } from '@sought/contract/constants'
import { uploadItemImage } from '@sought/contract/requests'
import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { upload } from '../../lib/upload.ts'

/** A chosen picture and the state of its upload. */
export type Picture = { file: File; previewUrl: string } & (
  | { state: 'uploading'; progress: number }
  | { state: 'stored' }
  | { state: 'failed'; message: string; canRetry: boolean }
)

/** The server refused the file itself, so a retry is pointless. */
const REFUSED_FILE_STATUSES = [413, 415, 422]

export type PictureUpload = ReturnType<typeof usePictureUpload>

/** Uploads a picture as soon as it is chosen. */
export function usePictureUpload(onStored: (imageUrl: string) => void) {
  const [picture, setPicture] = useState<Picture | null>(null)
  const running = useRef<{ controller: AbortController; isStored: Promise<boolean> } | null>(null)

  const previewUrl = picture?.previewUrl
  useEffect(() => () => URL.revokeObjectURL(previewUrl ?? ''), [previewUrl])
  useEffect(() => () => running.current?.controller.abort(), [])

  async function uploadPicture(
    file: File,
    previewUrl: string,
    { signal }: AbortController,
  ): Promise<boolean> {
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
      show({ state: 'failed', ...describeFailure(error) })
      return signal.aborted
    }
  }

  function start(file: File, previewUrl: string): void {
    const controller = new AbortController()
    running.current = { controller, isStored: uploadPicture(file, previewUrl, controller) }
  }

  return {
    picture,
    choose(file: File): void {
      const problem = checkFile(file)
      if (problem) toast({ ...problem, variant: 'destructive' })
      else start(file, URL.createObjectURL(file))
    },
    retry(): void {
      if (picture) start(picture.file, picture.previewUrl)
    },
    remove(): void {
      running.current?.controller.abort()
      running.current = null
      setPicture(null)
    },
    /** Waits for a running upload. False if it failed. */
    waitUntilDone: () => running.current?.isStored ?? Promise.resolve(true),
  }
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

/** Checks that need no server, with the texts of spec §5 and §8. */
function checkFile(file: File): { title: string; description: string } | null {
  if (!file.type.startsWith('image/')) {
    return { title: 'Invalid file type', description: 'Please upload an image file (JPG, PNG, etc.)' }
  }
  if (file.size > IMAGE_MAX_BYTES) {
    return { title: 'File Too Large', description: 'Please choose a picture of at most 10MB.' }
  }
  return null
}

function describeFailure(error: unknown): { message: string; canRetry: boolean } {
  const callError = error instanceof CallError ? error : null
  return {
    message: callError?.userMessage ?? 'The picture could not be uploaded.',
    canRetry: !REFUSED_FILE_STATUSES.includes(callError?.status ?? 0),
  }
}
