import { uploadEvidence } from '@sought/contract/disputes'
import { useEffect, useRef, useState } from 'react'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { upload } from '../../lib/upload.ts'
import { isImage, judgeFiles } from './evidence-files.ts'

/** A file that somebody chose as evidence, and how far it has come. */
export interface EvidenceDraft {
  id: string
  file: File
  description: string
  previewUrl: string | undefined
  state:
    | { at: 'chosen' }
    | { at: 'sending'; progress: number }
    | { at: 'sent' }
    | { at: 'failed'; words: string; retryable: boolean }
}

/** The server has judged the file itself: sending it again would change nothing. */
const FINAL_STATUSES = [409, 413, 415, 422]

export type EvidenceFiles = ReturnType<typeof useEvidenceFiles>

/** Files from their choosing to their arrival. `alreadyCount` is how many the same person sent earlier. */
export function useEvidenceFiles(alreadyCount = 0) {
  const [files, setFiles] = useState<readonly EvidenceDraft[]>([])
  const change = (id: string, part: Partial<EvidenceDraft>) =>
    setFiles((all) => all.map((it) => (it.id === id ? { ...it, ...part } : it)))
  useRevokedPreviews(files)

  async function sendOne({ id, file, description }: EvidenceDraft, paymentId: number): Promise<void> {
    const show = (state: EvidenceDraft['state']) => change(id, { state })
    show({ at: 'sending', progress: 0 })
    try {
      await upload(uploadEvidence, { params: { paymentId: String(paymentId) } }, file, {
        // The dispute's id is the payment's (spec §7).
        fields: { description, disputeId: String(paymentId) },
        onProgress: (progress) => show({ at: 'sending', progress }),
      })
      show({ at: 'sent' })
    } catch (error) {
      show({ at: 'failed', ...whyFailed(error) })
    }
  }

  return {
    files,
    choose(chosen: readonly File[]): void {
      const { fit, errors } = judgeFiles(chosen, alreadyCount + files.length)
      if (errors.length > 0) {
        toast({ title: 'File Upload Error', description: errors.join('\n'), variant: 'destructive' })
      }
      setFiles((all) => [...all, ...fit.map(asDraft)])
    },
    describe: (id: string, description: string) => change(id, { description }),
    remove: (id: string) => setFiles((all) => all.filter((it) => it.id !== id)),
    clear: () => setFiles([]),
    /** One request a file (spec §7), one after the other. */
    async send(paymentId: number): Promise<void> {
      for (const file of files) await sendOne(file, paymentId)
    },
    retry: sendOne,
  }
}

function asDraft(file: File): EvidenceDraft {
  const previewUrl = isImage(file) ? URL.createObjectURL(file) : undefined
  return { id: crypto.randomUUID(), file, description: '', previewUrl, state: { at: 'chosen' } }
}

/** The browser keeps a picture for as long as it has an address: gone from the list, it is given up. */
function useRevokedPreviews(files: readonly EvidenceDraft[]): void {
  const shown = useRef<readonly string[]>([])
  useEffect(() => {
    const current = files.flatMap(({ previewUrl }) => previewUrl ?? [])
    for (const url of shown.current) if (!current.includes(url)) URL.revokeObjectURL(url)
    shown.current = current
  }, [files])
  useEffect(
    () => () => {
      for (const url of shown.current) URL.revokeObjectURL(url)
    },
    [],
  )
}

function whyFailed(error: unknown): { words: string; retryable: boolean } {
  const refused = error instanceof CallError ? error : null
  return {
    words: refused?.userMessage ?? 'It did not get through.',
    retryable: !FINAL_STATUSES.includes(refused?.status ?? 0),
  }
}
