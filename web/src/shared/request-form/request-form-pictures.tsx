import { ALT_TEXT_MAX_LENGTH, IMAGES_MAX } from '@sought/contract/constants'
import { ArrowLeft, ArrowRight, Image, RotateCw, X } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { classNames } from '../../ui/base/class-names.ts'
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { FieldError } from '../../ui/forms/field.tsx'
import { FileDrop } from '../../ui/forms/file-drop.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { picturesIn } from '../photos/use-photos.ts'
import type { RequestFormState } from './request-form-state.ts'
import type { FormPicture, FormPictures } from './request-form-upload.ts'

interface PicturesFieldProps {
  form: RequestFormState
  pictures: FormPictures
}

/** The pictures of the request, in their order, and fields for uploading or linking more. */
export function PicturesField({ form, pictures }: PicturesFieldProps) {
  const container = useRef<HTMLDivElement>(null)
  usePastedPictures(pictures.add)
  const removeAndFocus = (key: string) => {
    pictures.remove(key)
    form.clearErrors('images')
    // The removed button had the focus, so it moves to the file input.
    requestAnimationFrame(() => container.current?.querySelector<HTMLElement>('input[type=file]')?.focus())
  }
  const addLink = async () => {
    const url = form.getValues('imageUrl')
    if (!url || !(await form.trigger('imageUrl', { shouldFocus: true }))) return
    pictures.addLink(url)
    form.setValue('imageUrl', '')
  }
  const error = pictures.problem ?? form.control('images').error
  return (
    <div ref={container} className="grid gap-6">
      {pictures.pictures.length > 0 && <PictureList pictures={pictures} onRemove={removeAndFocus} />}
      {pictures.isFull ? (
        <div role="status" className="grid gap-1.5">
          <FieldError id={undefined}>{error}</FieldError>
          <p className="text-fine text-ink-soft">Remove a picture to add another.</p>
        </div>
      ) : (
        <>
          <FileDrop
            label="Pictures"
            optional
            prompt="Drop or paste pictures here, or choose them"
            hint={`Up to ${IMAGES_MAX}. PNG, JPG, GIF or WebP up to 10MB`}
            accept="image/png,image/jpeg,image/gif,image/webp"
            error={error}
            files={[]}
            onFiles={pictures.add}
            onRemove={() => {}}
          />
          <div className="flex items-start gap-2 max-sm:flex-col max-sm:items-stretch">
            <TextField
              label="Or a link to a picture"
              optional
              type="url"
              autoComplete="off"
              placeholder="https://"
              hint="We show a copy of this picture."
              className="grow"
              {...form.field('imageUrl')}
            />
            <Button variant="secondary" className="sm:mt-7.5" onClick={() => void addLink()}>
              Add Link
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

/** Pictures can be pasted wherever the focus is. */
function usePastedPictures(add: (files: File[]) => void): void {
  const latest = useRef(add)
  latest.current = add
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = event.clipboardData ? picturesIn(event.clipboardData) : []
      // Text that is copied in an office program contains a picture of itself, which nobody wants to upload.
      if (files.length === 0 || event.clipboardData?.getData('text/plain')) return
      event.preventDefault()
      latest.current(files)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}

interface PictureListProps {
  pictures: FormPictures
  onRemove: (key: string) => void
}

function PictureList({ pictures, onRemove }: PictureListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const count = pictures.pictures.length
  const move = (key: string, to: number, button: string) => {
    pictures.move(key, to)
    setAnnouncement(`Moved to place ${to + 1} of ${count}`)
    // Moving the picture in the page blurs its button, which is disabled at the end.
    requestAnimationFrame(() => {
      const buttons = list.current?.children[to]?.querySelectorAll<HTMLButtonElement>('[data-move]') ?? []
      const enabled = [...buttons].filter(({ disabled }) => !disabled)
      const same = enabled.find(({ dataset: { move: name } }) => name === button)
      ;(same ?? enabled[0])?.focus()
    })
  }
  const onDragOver = (event: DragEvent, to: number) => {
    if (dragged === null) return
    event.preventDefault()
    if (pictures.pictures[to]?.key !== dragged) pictures.move(dragged, to)
  }
  return (
    <fieldset>
      <legend className="font-strong">Your pictures</legend>
      <p className="mb-3 text-fine text-ink-soft">
        The first one is shown on the board: drag them into order, or use the arrows. Alt texts describe
        pictures to people who cannot see them.
      </p>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ul ref={list} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {pictures.pictures.map((picture, index) => (
          <li
            key={picture.key}
            aria-label={`Picture ${index + 1} of ${count}`}
            onDragOver={(event) => onDragOver(event, index)}
            onDrop={(event) => event.preventDefault()}
            className={classNames(
              'grid grid-cols-[minmax(0,1fr)] content-start gap-2 rounded-card border bg-paper p-2',
              picture.state === 'failed' ? 'border-danger' : 'border-line',
              picture.key === dragged && 'opacity-50',
            )}
          >
            {/* biome-ignore lint/a11y/noStaticElementInteractions: dragging is an alternative to the buttons. */}
            <div
              draggable
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                // Firefox starts no drag without data.
                event.dataTransfer.setData('text/plain', '')
                setDragged(picture.key)
              }}
              onDragEnd={() => setDragged(null)}
              // On a phone, a long press starts the drag, so it must not open a menu or select text.
              className="cursor-grab select-none [-webkit-touch-callout:none] active:cursor-grabbing"
            >
              <Preview picture={picture} />
            </div>
            <div className="flex justify-between">
              <div className="flex">
                <IconButton
                  label="Move left"
                  Icon={ArrowLeft}
                  size="sm"
                  data-move="left"
                  disabled={index === 0}
                  onClick={() => move(picture.key, index - 1, 'left')}
                />
                <IconButton
                  label="Move right"
                  Icon={ArrowRight}
                  size="sm"
                  data-move="right"
                  disabled={index === count - 1}
                  onClick={() => move(picture.key, index + 1, 'right')}
                />
              </div>
              <IconButton
                label="Remove Picture"
                Icon={X}
                size="sm"
                data-failed={picture.state === 'failed' && !picture.canRetry ? '' : undefined}
                onClick={() => onRemove(picture.key)}
              />
            </div>
            <UploadState picture={picture} onRetry={() => pictures.retry(picture.key)} />
            <TextField
              label="Alt text"
              hideLabel
              placeholder="Alt text"
              autoComplete="off"
              maxLength={ALT_TEXT_MAX_LENGTH}
              value={picture.alt}
              onChange={({ target }) => pictures.describe(picture.key, target.value)}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

function Preview({ picture }: { picture: FormPicture }) {
  const [isBroken, setIsBroken] = useState(false)
  const box = 'aspect-[4/3] w-full rounded-control bg-sunken'
  if (picture.previewUrl === null || isBroken) {
    return (
      <div className={`${box} grid place-items-center text-line-strong`}>
        <Image aria-hidden="true" className="size-8" strokeWidth={1} />
      </div>
    )
  }
  return (
    <img
      src={picture.previewUrl}
      alt={picture.alt}
      draggable={false}
      onError={() => setIsBroken(true)}
      className={classNames(box, 'object-cover', picture.state !== 'stored' && 'opacity-60')}
    />
  )
}

function UploadState({ picture, onRetry }: { picture: FormPicture; onRetry: () => void }) {
  return (
    <div className="grid min-w-0 gap-2">
      <p className="truncate text-fine">{picture.name}</p>
      <div role="status" className="text-fine text-ink-soft">
        {picture.state === 'failed' && <FieldError id={undefined}>{picture.message}</FieldError>}
        {picture.state === 'uploading' && <p>Uploading…</p>}
        {picture.state === 'stored' && <p>{picture.url.startsWith('/files/') ? 'Uploaded' : 'Linked'}</p>}
      </div>
      {picture.state === 'uploading' && (
        <ProgressBar label="Uploading the picture" value={picture.progress} />
      )}
      {picture.state === 'failed' && picture.canRetry && (
        <Button variant="secondary" size="sm" data-failed="" onClick={onRetry}>
          <RotateCw aria-hidden="true" />
          Try Again
        </Button>
      )}
    </div>
  )
}
