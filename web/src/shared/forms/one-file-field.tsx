import { useState } from 'react'
import { formatFileSize } from '../../format/file-size.ts'
import { FileDrop } from '../../ui/forms/file-drop.tsx'
import { usePreview } from '../uploads/previews.ts'

interface Props {
  label: string
  hint?: string
  optional?: boolean
  error?: string | undefined
  accept: string
  maxBytes: number
  value: File | null
  onValueChange: (file: File | null) => void
}

/** A field for one file that is sent with the form. */
export function OneFileField({ accept, maxBytes, value: file, onValueChange, error, ...texts }: Props) {
  const [problem, setProblem] = useState<string>()
  const previewUrl = usePreview(file)
  const choose = ([chosen]: File[]) => {
    if (!chosen) return
    const isTooLarge = chosen.size > maxBytes
    setProblem(isTooLarge ? `${chosen.name} is too large (max ${formatFileSize(maxBytes)})` : undefined)
    if (!isTooLarge) onValueChange(chosen)
  }
  return (
    <FileDrop
      {...texts}
      prompt="Drop a file here, or choose one"
      accept={accept}
      multiple={false}
      error={problem ?? error}
      files={file ? [{ id: 'file', name: file.name, size: formatFileSize(file.size), previewUrl }] : []}
      onFiles={choose}
      onRemove={() => onValueChange(null)}
    />
  )
}
