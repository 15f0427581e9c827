import { ImageOff, ImagePlus, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../../ui/base/class-names.ts'
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { FieldError } from '../../ui/forms/field.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import type { DraftPhoto, Photos } from './use-photos.ts'

/** The file input covers the button, so the focus shows around both. */
const inputFocusLook =
  'relative has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2'

/** Photos to be sent with an offer: a button to add some, and their previews. */
export function PhotoField({ photos }: { photos: Photos }) {
  return (
    <div className="grid justify-items-start gap-2">
      <PhotoPreviews photos={photos} />
      {!photos.isFull && (
        <Button asChild variant="quiet" size="sm">
          <span className={inputFocusLook}>
            <ImagePlus aria-hidden="true" />
            Add Photos
            <PhotoInput photos={photos} />
          </span>
        </Button>
      )}
    </div>
  )
}

/** The same button as an icon, for the composer. */
export function AddPhotosButton({ photos }: { photos: Photos }) {
  return (
    <span
      className={classNames(
        inputFocusLook,
        'inline-grid size-11 shrink-0 place-items-center rounded-control hover:bg-sunken has-disabled:text-ink-soft',
      )}
    >
      <ImagePlus aria-hidden="true" className="size-5" />
      <PhotoInput photos={photos} />
    </span>
  )
}

/** Phones also offer their camera. */
function PhotoInput({ photos }: { photos: Photos }) {
  return (
    <input
      type="file"
      accept="image/*"
      multiple
      disabled={photos.isFull}
      aria-label="Add Photos"
      className="absolute inset-0 size-full cursor-pointer text-[0px] opacity-0 disabled:cursor-not-allowed"
      onChange={({ target }) => {
        photos.add([...(target.files ?? [])])
        target.value = ''
      }}
    />
  )
}

export function PhotoPreviews({ photos }: { photos: Photos }) {
  if (photos.photos.length === 0) return null
  const failures = photos.photos.filter((photo) => photo.state === 'failed')
  return (
    <div className="grid gap-2">
      <ul aria-label="Photos to send" className="flex flex-wrap gap-2">
        {photos.photos.map((photo, index) => (
          <li key={photo.key}>
            <Preview
              photo={photo}
              number={index + 1}
              onRetry={() => photos.retry(photo.key)}
              onRemove={() => photos.remove(photo.key)}
            />
          </li>
        ))}
      </ul>
      <div role="status" className="grid gap-1">
        {failures.map(({ key, message }) => (
          <FieldError key={key} id={undefined}>
            {message}
          </FieldError>
        ))}
      </div>
    </div>
  )
}

interface PreviewProps {
  photo: DraftPhoto
  number: number
  onRetry: () => void
  onRemove: () => void
}

function Preview({ photo, number, onRetry, onRemove }: PreviewProps) {
  const [isBroken, setIsBroken] = useState(false)
  return (
    <div
      className={classNames(
        'relative size-20 overflow-hidden rounded-control border bg-sunken',
        photo.state === 'failed' || isBroken ? 'border-danger' : 'border-line',
      )}
    >
      {isBroken ? (
        <span className="grid size-full place-items-center text-danger">
          <ImageOff aria-hidden="true" className="size-6" />
        </span>
      ) : (
        <img
          src={photo.previewUrl}
          alt={photo.name}
          onError={() => setIsBroken(true)}
          className={classNames('size-full object-cover', photo.state !== 'stored' && 'opacity-50')}
        />
      )}
      {photo.state === 'uploading' && (
        <ProgressBar
          label={`Uploading photo ${number}`}
          value={photo.progress}
          className="absolute inset-x-2 bottom-2"
        />
      )}
      {photo.state === 'failed' && photo.canRetry && (
        <div className="absolute bottom-0 left-0 rounded-tr-control bg-paper">
          <IconButton label={`Upload photo ${number} again`} Icon={RotateCw} size="sm" onClick={onRetry} />
        </div>
      )}
      <div className="absolute top-0 right-0 rounded-bl-control bg-paper">
        <IconButton label={`Remove photo ${number}`} Icon={X} size="sm" onClick={onRemove} />
      </div>
    </div>
  )
}
