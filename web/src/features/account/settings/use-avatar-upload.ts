import { uploadAvatar } from '@sought/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../../data/client.ts'
import { toast } from '../../../data/toasts.ts'
import { handleUnauthenticated } from '../../../data/unauthenticated.ts'
import { upload } from '../../../data/upload.ts'
import { useSetCurrentUser } from '../use-set-current-user.ts'
import { type Area, cropImage } from './crop.ts'

/**
 * With these statuses, the server refused the file itself, and its message says why. Other errors may be retried.
 */
const REFUSED_FILE_STATUSES = [413, 415, 422]

/** Crops the avatar and uploads it. The progress is null unless an upload is running. */
export function useAvatarUpload(onDone: () => void) {
  const [progress, setProgress] = useState<number | null>(null)
  const abort = useRef<AbortController>(undefined)
  const setCurrentUser = useSetCurrentUser()
  const cache = useQueryClient()
  useEffect(() => () => abort.current?.abort(), [])

  const send = async (image: HTMLImageElement, area: Area) => {
    const controller = new AbortController()
    abort.current = controller
    setProgress(0)
    try {
      const file = await cropImage(image, area)
      setCurrentUser(
        await upload(uploadAvatar, {}, file, { onProgress: setProgress, signal: controller.signal }),
      )
      onDone()
      toast({ title: 'Picture updated', description: 'It is now shown next to your name.' })
    } catch (error) {
      if (controller.signal.aborted) return
      setProgress(null)
      if (handleUnauthenticated(cache, error)) return
      toast({ title: 'Error', description: describeError(error), variant: 'destructive' })
    }
  }
  return { progress, save: (image: HTMLImageElement, area: Area) => void send(image, area) }
}

function describeError(error: unknown): string {
  const message =
    error instanceof CallError && REFUSED_FILE_STATUSES.includes(error.status) ? error.userMessage : null
  return message ?? 'Failed to upload avatar. Please try again.'
}
