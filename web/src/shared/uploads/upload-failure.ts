import { CallError } from '../../data/client.ts'

/** With these statuses the server refused the file itself, and its message says why. A retry is pointless. */
const REFUSED_FILE_STATUSES = [413, 415, 422]

export const isFileRefused = (error: unknown): error is CallError =>
  error instanceof CallError && REFUSED_FILE_STATUSES.includes(error.status)

export function describeUploadFailure(error: unknown, fallback = 'The upload failed.') {
  return {
    message: (error instanceof CallError && error.userMessage) || fallback,
    canRetry: !isFileRefused(error),
  }
}
