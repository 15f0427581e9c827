import { uploadEvidence } from '@sought/contract/disputes'
import { useState } from 'react'
import { CallError } from '../../data/client.ts'
import { toastFailure } from '../../data/toasts.ts'
import { upload } from '../../data/upload.ts'
import { useRevokedPreviews } from '../../shared/uploads/previews.ts'
import { describeUploadFailure } from '../../shared/uploads/upload-failure.ts'
import { isImage, validateFiles } from './validate-files.ts'

/** A file that the user selected as evidence, and its upload state. */
export interface EvidenceFile {
  id: string
  file: File
  description: string
  previewUrl: string | undefined
  upload:
    | { state: 'selected' }
    | { state: 'sending'; progress: number }
    | { state: 'sent' }
    | { state: 'failed'; message: string; canRetry: boolean }
}

export type EvidenceFiles = ReturnType<typeof useEvidenceFiles>

/** The evidence files of one dispute. `uploadedCount` is the number of files uploaded earlier. */
export function useEvidenceFiles(uploadedCount = 0) {
  const [files, setFiles] = useState<readonly EvidenceFile[]>([])
  const update = (id: string, change: Partial<EvidenceFile>) =>
    setFiles((all) => all.map((it) => (it.id === id ? { ...it, ...change } : it)))
  useRevokedPreviews(files)

  async function sendFile({ id, file, description }: EvidenceFile, paymentId: number): Promise<void> {
    const setUpload = (upload: EvidenceFile['upload']) => update(id, { upload })
    setUpload({ state: 'sending', progress: 0 })
    try {
      await upload(uploadEvidence, { params: { paymentId: String(paymentId) } }, file, {
        // The dispute's id is the payment's.
        fields: { description, disputeId: String(paymentId) },
        onProgress: (progress) => setUpload({ state: 'sending', progress }),
      })
      setUpload({ state: 'sent' })
    } catch (error) {
      // Shows the failure even if the session has ended. A redirect to the sign-in would lose the selected files.
      setUpload({ state: 'failed', ...describeFailure(error) })
    }
  }

  return {
    files,
    isSending: files.some(({ upload }) => upload.state === 'sending' || upload.state === 'selected'),
    areSent: files.every(({ upload }) => upload.state === 'sent'),
    add(selected: readonly File[]): void {
      const { validFiles, errors } = validateFiles(selected, uploadedCount + files.length)
      if (errors.length > 0) {
        toastFailure('File Upload Error', errors.join('\n'))
      }
      setFiles((all) => [...all, ...validFiles.map(toEvidenceFile)])
    },
    describe: (id: string, description: string) => update(id, { description }),
    remove: (id: string) => setFiles((all) => all.filter((it) => it.id !== id)),
    clear: () => setFiles([]),
    /** Sends one request per file, one after the other. */
    async send(paymentId: number): Promise<void> {
      for (const file of files) await sendFile(file, paymentId)
    },
    retry: sendFile,
  }
}

function toEvidenceFile(file: File): EvidenceFile {
  const previewUrl = isImage(file) ? URL.createObjectURL(file) : undefined
  return { id: crypto.randomUUID(), file, description: '', previewUrl, upload: { state: 'selected' } }
}

/** A dispute that has ended takes no more files. */
function describeFailure(error: unknown) {
  const failure = describeUploadFailure(error)
  return error instanceof CallError && error.status === 409 ? { ...failure, canRetry: false } : failure
}
