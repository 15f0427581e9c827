import { FileText, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { ProgressBar } from '../feedback/progress-bar.tsx'
import { IconButton } from './icon-button.tsx'

export interface DroppedFile {
  id: string
  name: string
  /** The formatted size, such as '1.2 MB'. */
  size: string
  previewUrl?: string | undefined
  /** 0 to 1 while uploading. */
  progress?: number | undefined
  error?: string | undefined
}

export interface FileRowProps {
  file: DroppedFile
  /** Left out when the file can no longer be removed. */
  onRemove?: (() => void) | undefined
  children?: ReactNode
}

export function FileRow({ file, onRemove, children }: FileRowProps) {
  const percent = file.progress === undefined ? null : Math.round(file.progress * 100)
  return (
    <li className="rounded-control border border-line bg-paper p-3">
      <div className="flex items-center gap-3">
        {file.previewUrl ? (
          <img src={file.previewUrl} alt="" className="size-11 shrink-0 rounded-card object-cover" />
        ) : (
          <span className="grid size-11 shrink-0 place-items-center rounded-card bg-sunken text-ink-soft">
            <FileText aria-hidden="true" className="size-5" />
          </span>
        )}
        <div className="min-w-0 grow">
          <p className="truncate">{file.name}</p>
          <p className={classNames('text-fine tabular-nums', file.error ? 'text-danger' : 'text-ink-soft')}>
            {file.error ?? (percent === null ? file.size : `${file.size}, ${percent}%`)}
          </p>
        </div>
        {onRemove && <IconButton size="sm" label={`Remove ${file.name}`} Icon={X} onClick={onRemove} />}
      </div>
      {file.progress !== undefined && (
        <ProgressBar label={`Uploading ${file.name}`} value={file.progress} className="mt-3" />
      )}
      {children && <div className="mt-3">{children}</div>}
    </li>
  )
}
