import { EVIDENCE_MAX_BYTES, EVIDENCE_MAX_FILES } from '@sought/contract/constants'

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']
const DOCUMENT_ENDINGS = ['.pdf', '.doc', '.docx', '.txt']

/** What the file chooser offers. The server tells by the content what a file really is. */
export const ACCEPTED_FILES = [...IMAGE_TYPES, ...DOCUMENT_ENDINGS].join(',')

interface ChosenFile {
  name: string
  type: string
  size: number
}

/** Which of the chosen files may be sent, and what is wrong with the others, in the words of spec §5. */
export function judgeFiles<File extends ChosenFile>(
  chosen: readonly File[],
  alreadyCount: number,
): { fit: File[]; errors: string[] } {
  const fit: File[] = []
  const errors = new Set<string>()
  for (const file of chosen) {
    if (file.size > EVIDENCE_MAX_BYTES) errors.add(`${file.name} is too large (max 10MB)`)
    else if (!isSupported(file)) errors.add(`${file.name} is not a supported file type`)
    else if (alreadyCount + fit.length >= EVIDENCE_MAX_FILES) errors.add('Maximum 5 files allowed')
    else fit.push(file)
  }
  return { fit, errors: [...errors] }
}

export const isImage = ({ type }: Pick<ChosenFile, 'type'>): boolean => IMAGE_TYPES.includes(type)

function isSupported(file: ChosenFile): boolean {
  const name = file.name.toLowerCase()
  return isImage(file) || DOCUMENT_ENDINGS.some((ending) => name.endsWith(ending))
}

/** '340 KB', '1.2 MB'. */
export function fileSize(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1024))
  return kilobytes < 1024 ? `${kilobytes} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
