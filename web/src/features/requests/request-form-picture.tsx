import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FieldError } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { RequestFormState } from './request-form-state.ts'
import type { Picture, PictureUpload } from './request-form-upload.ts'

interface PictureFieldProps {
  form: RequestFormState
  upload: PictureUpload
}

/** Fields for uploading or linking a picture. Once a picture is chosen, its preview replaces them. */
export function PictureField({ form, upload }: PictureFieldProps) {
  const imageUrl = form.watch('imageUrl') ?? ''
  const storedUrl = imageUrl.startsWith('/files/') ? imageUrl : undefined
  const previewUrl = upload.picture?.previewUrl ?? storedUrl
  const error = form.formState.errors.imageUrl?.message
  const container = useFocusReplacement(previewUrl === undefined)
  const remove = () => {
    upload.remove()
    form.setValue('imageUrl', '')
    form.clearErrors('imageUrl')
  }
  return (
    <div ref={container}>
      {previewUrl === undefined ? (
        <div className="grid gap-6">
          <FileDrop
            label="Picture"
            optional
            prompt="Drop a picture here, or choose one"
            hint="PNG, JPG, GIF or WebP up to 10MB"
            accept="image/png,image/jpeg,image/gif,image/webp"
            multiple={false}
            files={[]}
            onFiles={([file]) => file && upload.choose(file)}
            onRemove={remove}
          />
          <TextField
            label="Or a link to a picture"
            optional
            type="url"
            autoComplete="off"
            placeholder="https://"
            hint="We show a copy of this picture."
            error={error}
            {...form.register('imageUrl')}
          />
        </div>
      ) : (
        <Preview
          previewUrl={previewUrl}
          picture={upload.picture}
          error={error}
          onRetry={upload.retry}
          onRemove={remove}
        />
      )}
    </div>
  )
}

/** Choosing or removing a picture replaces the focused element: this moves the focus to the new one. */
function useFocusReplacement(isEmpty: boolean) {
  const container = useRef<HTMLDivElement>(null)
  const wasEmpty = useRef(isEmpty)
  useEffect(() => {
    if (wasEmpty.current === isEmpty) return
    wasEmpty.current = isEmpty
    container.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [isEmpty])
  return container
}

interface PreviewProps {
  previewUrl: string
  /** Null if it was uploaded earlier. */
  picture: Picture | null
  error: string | undefined
  onRetry: () => void
  onRemove: () => void
}

function Preview({ previewUrl, picture, error, onRetry, onRemove }: PreviewProps) {
  const uploading = picture?.state === 'uploading' ? picture : null
  const failed = picture?.state === 'failed' ? picture : null
  const problem = failed?.message ?? error
  return (
    <fieldset>
      <legend className="mb-1.5 font-strong">Picture</legend>
      <div className="grid items-center gap-4 rounded-control border border-line p-3 sm:grid-cols-[14rem_minmax(0,1fr)]">
        <img
          src={previewUrl}
          alt=""
          className={classNames(
            'aspect-[16/10] w-full rounded-card bg-sunken object-cover transition-opacity',
            (uploading || failed) && 'opacity-60',
          )}
        />
        <div className="grid min-w-0 gap-3">
          <div className="min-w-0">
            <p className="truncate">{picture?.file.name ?? 'Your picture'}</p>
            <div role="status" className="text-fine text-ink-soft">
              {problem ? (
                <FieldError id={undefined}>{problem}</FieldError>
              ) : (
                <p>{uploading ? 'Uploading…' : 'Uploaded'}</p>
              )}
            </div>
          </div>
          {uploading && <ProgressBar label="Uploading the picture" value={uploading.progress} />}
          <div className="flex flex-wrap gap-2">
            {failed?.canRetry && (
              <Button variant="secondary" size="sm" onClick={onRetry}>
                Try Again
              </Button>
            )}
            <Button variant="secondary" size="sm" onClick={onRemove}>
              Remove Picture
            </Button>
          </div>
        </div>
      </div>
    </fieldset>
  )
}
