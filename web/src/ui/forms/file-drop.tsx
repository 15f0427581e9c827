import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useState } from 'react'
import { classNames } from '../base/class-names.ts'
import { Field, type FieldTexts } from './field.tsx'
import { type DroppedFile, FileRow } from './file-row.tsx'

export interface FileDropProps extends FieldTexts {
  files: readonly DroppedFile[]
  /** Called with the dropped or chosen files. The caller has to check them. */
  onFiles: (files: File[]) => void
  onRemove: (id: string) => void
  /** The text inside the drop zone. */
  prompt?: string | undefined
  accept?: string | undefined
  multiple?: boolean | undefined
  disabled?: boolean | undefined
  /** An extra field for each file, such as a description. */
  renderExtra?: ((file: DroppedFile) => ReactNode) | undefined
}

export function FileDrop({
  files,
  onFiles,
  onRemove,
  prompt = 'Drop files here, or choose them',
  accept,
  multiple = true,
  disabled = false,
  renderExtra,
  ...texts
}: FileDropProps) {
  const [isDragOver, setIsDragOver] = useState(false)
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsDragOver(false)
    if (!disabled) onFiles([...event.dataTransfer.files])
  }
  return (
    <Field {...texts}>
      {(control) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {/* The box handles dropped files. The input inside it handles clicks and the keyboard. */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the input. */}
          <div
            onDragOver={(event) => {
              event.preventDefault()
              if (!disabled) setIsDragOver(true)
            }}
            onDragLeave={() => setIsDragOver(false)}
            onDrop={onDrop}
            className={classNames(
              'relative grid justify-items-center gap-2 rounded-control border-2 border-dashed px-4 py-7 text-center transition-colors duration-150',
              'has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
              disabled
                ? 'border-line bg-sunken text-ink-soft'
                : isDragOver
                  ? 'border-accent bg-accent-wash'
                  : 'border-line-strong bg-paper hover:border-accent has-aria-invalid:border-danger',
            )}
          >
            <Upload aria-hidden="true" className="size-6 text-ink-soft" />
            <span>{prompt}</span>
            <input
              type="file"
              accept={accept}
              multiple={multiple}
              disabled={disabled}
              className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
              onChange={(event) => {
                onFiles([...(event.target.files ?? [])])
                event.target.value = ''
              }}
              {...control}
            />
          </div>
          {files.length > 0 && (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {files.map((file) => (
                <FileRow key={file.id} file={file} onRemove={() => onRemove(file.id)}>
                  {renderExtra?.(file)}
                </FileRow>
              ))}
            </ul>
          )}
        </div>
      )}
    </Field>
  )
}
