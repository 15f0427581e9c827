import { uploadAvatar } from '@sought/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import { toast, toastFailure } from '../../../data/toasts.ts'
import { handleUnauthenticated } from '../../../data/unauthenticated.ts'
import { upload } from '../../../data/upload.ts'
import { usePreview } from '../../../shared/uploads/previews.ts'
import { isFileRefused } from '../../../shared/uploads/upload-failure.ts'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Slider } from '../../../ui/forms/slider.tsx'
import { Dialog, DialogClose } from '../../../ui/overlays/dialog.tsx'
import { useSetCurrentUser } from '../use-set-current-user.ts'
import { type Area, cropImage, placeAreaInFrame } from './crop.ts'

const MAX_ZOOM = 4

/** The chosen area: in percent for the preview, in pixels for cropping. */
interface CropArea {
  percent: Area
  pixels: Area
}

/** Crops an image to a square and uploads it as the avatar. */
export function CropDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const url = usePreview(file)
  const image = useRef<HTMLImageElement>(null)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<CropArea | null>(null)
  const { save, progress } = useAvatarUpload(onClose)
  const rejectFile = () => {
    onClose()
    toastFailure('Invalid file type', 'Please upload an image file (JPG, PNG, etc.)')
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="slip"
      title="Crop your picture"
      description="Drag it, or use the arrow keys, until your face is in the circle."
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button
            busy={progress !== null}
            disabled={area === null}
            onClick={() => image.current && area && save(image.current, area.pixels)}
          >
            Save Picture
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <div className="relative mx-auto aspect-square w-full max-w-80 overflow-hidden rounded-card bg-sunken">
          {url && (
            <Cropper
              image={url}
              aspect={1}
              cropShape="round"
              showGrid={false}
              objectFit="cover"
              crop={crop}
              zoom={zoom}
              maxZoom={MAX_ZOOM}
              keyboardStep={8}
              onCropChange={setCrop}
              onZoomChange={setZoom}
              onCropAreaChange={(percent, pixels) => setArea({ percent, pixels })}
              setImageRef={(ref) => {
                image.current = ref.current
              }}
              mediaProps={{ alt: '', onError: rejectFile }}
              cropperProps={{ role: 'group', 'aria-label': 'Crop area' }}
            />
          )}
        </div>
        <div className="flex items-center gap-5">
          <Preview url={url} area={area?.percent} />
          <Slider
            label="Zoom"
            compact
            className="grow"
            min={1}
            max={MAX_ZOOM}
            step={0.01}
            keyStep={0.1}
            value={zoom}
            onValueChange={setZoom}
            format={(value) => `${Math.round(value * 100)}%`}
          />
        </div>
        <div className="h-1">
          {progress !== null && <ProgressBar label="Uploading the picture" value={progress} />}
        </div>
      </div>
    </Dialog>
  )
}

/** The avatar as others will see it. */
function Preview({ url, area }: { url: string | undefined; area: Area | undefined }) {
  return (
    <figure className="grid shrink-0 justify-items-center gap-1">
      <span className="relative block size-14 overflow-hidden rounded-round bg-sunken ring-1 ring-line">
        {url && area && (
          <img src={url} alt="" className="absolute max-w-none" style={placeAreaInFrame(area)} />
        )}
      </span>
      <figcaption className="text-fine text-ink-soft">Preview</figcaption>
    </figure>
  )
}

/** Crops the avatar and uploads it. The progress is null unless an upload is running. */
function useAvatarUpload(onDone: () => void) {
  const [progress, setProgress] = useState<number | null>(null)
  const abort = useRef<AbortController>(undefined)
  const setCurrentUser = useSetCurrentUser()
  const cache = useQueryClient()
  useEffect(() => () => abort.current?.abort(), [])

  const send = async (image: HTMLImageElement, area: Area) => {
    const controller = new AbortController()
    abort.current = controller
    setProgress(0)
    try {
      const file = await cropImage(image, area)
      setCurrentUser(
        await upload(uploadAvatar, {}, file, { onProgress: setProgress, signal: controller.signal }),
      )
      onDone()
      toast({ title: 'Picture updated', description: 'It is now shown next to your name.' })
    } catch (error) {
      if (controller.signal.aborted) return
      setProgress(null)
      if (handleUnauthenticated(cache, error)) return
      toastFailure(
        'Error',
        (isFileRefused(error) && error.userMessage) || 'Failed to upload avatar. Please try again.',
      )
    }
  }
  return { progress, save: (image: HTMLImageElement, area: Area) => void send(image, area) }
}
