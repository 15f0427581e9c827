import { ChevronLeft, ChevronRight, Flag, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, lazy, Suspense, type TouchEvent, useRef, useState } from 'react'
import { Button } from '../../ui/forms/button.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import { useSignInFirst } from '../sign-in/use-sign-in-first.ts'

const ReportDialog = lazy(() => import('../reports/report-dialog.tsx'))

interface LightboxPhoto {
  url: string
  alt?: string
  width: number | null
  height: number | null
}

interface Props {
  photos: readonly LightboxPhoto[]
  /** The index of the photo to show first. */
  initial: number
  /** Whether they belong to the user, who cannot report them. */
  isOwn: boolean
  onClose: () => void
}

const SWIPE_PX = 40

/** Dark in both colour schemes, because photos look best on a dark background. */
const controlLook = 'bg-[#000a]! text-[#fff]! hover:bg-[#000]!'

/** Shows photos in full size, one at a time. Arrow keys and swipes go to the others, Escape closes. */
export default function PhotoLightbox({ photos, initial, isOwn, onClose }: Props) {
  const [index, setIndex] = useState(initial)
  const [isReporting, setIsReporting] = useState(false)
  const signInFirst = useSignInFirst()
  const photo = photos[index]
  const go = (step: number) => setIndex((it) => Math.min(Math.max(it + step, 0), photos.length - 1))
  const swipe = useSwipe(go)
  const opener = useRef(document.activeElement)
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') go(1)
    if (key === 'ArrowLeft') go(-1)
  }
  // The report form replaces the photo, because it would be unreadable above it.
  if (photo && isReporting)
    return (
      <Suspense>
        <ReportDialog target={{ kind: 'picture', id: photo.url }} onClose={onClose} />
      </Suspense>
    )
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-appear bg-[#000e]" />
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onCloseAutoFocus={() => {
            if (opener.current instanceof HTMLElement) opener.current.focus()
          }}
          className="fixed inset-0 z-50 grid place-items-center outline-none"
          {...swipe}
        >
          <Dialog.Title className="sr-only" aria-live="polite">
            Photo {index + 1} of {photos.length}
          </Dialog.Title>
          {photo && (
            <img
              key={index}
              src={photo.url}
              alt={photo.alt || `${index + 1} of ${photos.length}`}
              width={photo.width ?? undefined}
              height={photo.height ?? undefined}
              className="h-auto max-h-dvh w-auto max-w-full object-contain"
            />
          )}
          {index > 0 && (
            <div className="absolute top-1/2 left-3 -translate-y-1/2">
              <IconButton
                label="Previous photo"
                Icon={ChevronLeft}
                onClick={() => go(-1)}
                className={controlLook}
              />
            </div>
          )}
          {index < photos.length - 1 && (
            <div className="absolute top-1/2 right-3 -translate-y-1/2">
              <IconButton
                label="Next photo"
                Icon={ChevronRight}
                onClick={() => go(1)}
                className={controlLook}
              />
            </div>
          )}
          <div className="absolute top-3 right-3 flex gap-2">
            {!isOwn && (
              <Button
                variant="quiet"
                onClick={() => signInFirst('report something', () => setIsReporting(true))}
                className={controlLook}
              >
                <Flag aria-hidden="true" />
                Report
              </Button>
            )}
            <Dialog.Close asChild>
              <IconButton label="Close" Icon={X} className={controlLook} />
            </Dialog.Close>
          </div>
          {photos.length > 1 && (
            <p
              aria-hidden="true"
              className="absolute bottom-4 rounded-round bg-[#000a] px-3 py-1 text-[#fff] text-fine"
            >
              {index + 1} / {photos.length}
            </p>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useSwipe(go: (step: number) => void) {
  const startX = useRef<number | null>(null)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      // A touch with two fingers zooms and must not count as a swipe.
      startX.current = touches.length === 1 ? (touches[0]?.clientX ?? null) : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const movedPx = (changedTouches[0]?.clientX ?? 0) - (startX.current ?? Number.NaN)
      if (Math.abs(movedPx) > SWIPE_PX) go(movedPx < 0 ? 1 : -1)
    },
  }
}
