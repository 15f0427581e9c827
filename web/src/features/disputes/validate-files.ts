import { EVIDENCE_MAX_BYTES, EVIDENCE_MAX_FILES } from '@sought/contract/constants'

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']
const DOCUMENT_EXTENSIONS = ['.pdf', '.doc', '.docx', '.txt']

/** For the browser's file dialog. The server checks the content of each file. */
export const ACCEPTED_FILES = [...IMAGE_TYPES, ...DOCUMENT_EXTENSIONS].join(',')

interface SelectedFile {
  name: string
  type: string
  size: number
}

/** Splits selected files into those that may be uploaded and errors for the others. */
export function validateFiles<File extends SelectedFile>(
  selected: readonly File[],
  existingCount: number,
): { validFiles: File[]; errors: string[] } {
  const validFiles: File[] = []
  const errors = new Set<string>()
  for (const file of selected) {
    if (file.size > EVIDENCE_MAX_BYTES) errors.add(`${file.name} is too large (max 10MB)`)
    else if (!isSupported(file)) errors.add(`${file.name} is not a supported file type`)
    else if (existingCount + validFiles.length >= EVIDENCE_MAX_FILES) errors.add('Maximum 5 files allowed')
    else validFiles.push(file)
  }
  return { validFiles, errors: [...errors] }
}

export const isImage = ({ type }: Pick<SelectedFile, 'type'>): boolean => IMAGE_TYPES.includes(type)

function isSupported(file: SelectedFile): boolean {
  const name = file.name.toLowerCase()
  return isImage(file) || DOCUMENT_EXTENSIONS.some((extension) => name.endsWith(extension))
}
