import { uploadAvatar } from '@sought/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { handleUnauthenticated } from '../../lib/unauthenticated.ts'
import { upload } from '../../lib/upload.ts'
import { type Area, cut } from './crop.ts'
import { useShowUser } from './use-show-user.ts'

/** The server's word on the file itself is better than ours; anything else is worth another try. */
const JUDGED_STATUSES = [413, 415, 422]

/** Cuts the avatar out and sends it; progress is null unless it is on its way. */
export function useAvatarUpload(onDone: () => void) {
  const [progress, setProgress] = useState<number | null>(null)
  const stop = useRef<AbortController>(undefined)
  const showUser = useShowUser()
  const cache = useQueryClient()
  useEffect(() => () => stop.current?.abort(), [])

  const send = async (picture: HTMLImageElement, area: Area) => {
    const underWay = new AbortController()
    stop.current = underWay
    setProgress(0)
    try {
      const file = await cut(picture, area)
      showUser(await upload(uploadAvatar, {}, file, { onProgress: setProgress, signal: underWay.signal }))
      onDone()
      toast({ title: 'Picture updated', description: 'It is now shown next to your name.' })
    } catch (error) {
      if (underWay.signal.aborted) return
      setProgress(null)
      if (handleUnauthenticated(cache, error)) return
      toast({ title: 'Error', description: wordsFor(error), variant: 'destructive' })
    }
  }
  return { progress, save: (picture: HTMLImageElement, area: Area) => void send(picture, area) }
}

function wordsFor(error: unknown): string {
  const judged =
    error instanceof CallError && JUDGED_STATUSES.includes(error.status) ? error.userMessage : null
  return judged ?? 'Failed to upload avatar. Please try again.'
}
