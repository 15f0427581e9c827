import { uploadAvatar } from '@sought/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { toast } from '../../../data/toasts.ts'
import { handleUnauthenticated } from '../../../data/unauthenticated.ts'
import { upload } from '../../../data/upload.ts'
import { isFileRefused } from '../../../shared/uploads/upload-failure.ts'
import { useSetCurrentUser } from '../use-set-current-user.ts'
import { type Area, cropImage } from './crop.ts'

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
      toast({
        title: 'Error',
        description:
          (isFileRefused(error) && error.userMessage) || 'Failed to upload avatar. Please try again.',
        variant: 'destructive',
      })
    }
  }
  return { progress, save: (image: HTMLImageElement, area: Area) => void send(image, area) }
}
