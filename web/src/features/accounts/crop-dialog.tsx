import { useEffect, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogClose } from '../../ui/dialog.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Slider } from '../../ui/slider.tsx'
import { type Area, placeIn } from './crop.ts'
import { useAvatarUpload } from './use-avatar-upload.ts'

const MAX_ZOOM = 4

/** The chosen part: in percent for the preview, in pixels for the cut. */
interface Chosen {
  percent: Area
  pixels: Area
}

/** Chooses the square of a picture that becomes the avatar, and sends it. */
export function CropDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const address = useAddressOf(file)
  const picture = useRef<HTMLImageElement>(null)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const { save, progress } = useAvatarUpload(onClose)
  const broken = () => {
    onClose()
    toast({
      title: 'Invalid file type',
      description: 'Please upload an image file (JPG, PNG, etc.)',
      variant: 'destructive',
    })
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
            disabled={chosen === null}
            onClick={() => picture.current && chosen && save(picture.current, chosen.pixels)}
          >
            Save Picture
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <div className="relative mx-auto aspect-square w-full max-w-80 overflow-hidden rounded-card bg-sunken">
          {address && (
            <Cropper
              image={address}
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
              onCropAreaChange={(percent, pixels) => setChosen({ percent, pixels })}
              setImageRef={(ref) => {
                picture.current = ref.current
              }}
              mediaProps={{ alt: '', onError: broken }}
              cropperProps={{ role: 'group', 'aria-label': 'Crop area' }}
            />
          )}
        </div>
        <div className="flex items-center gap-5">
          <Preview address={address} area={chosen?.percent} />
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

/** An address by which the page itself can show the file. */
function useAddressOf(file: File): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}

/** The avatar as others will see it. */
function Preview({ address, area }: { address: string | null; area: Area | undefined }) {
  return (
    <figure className="grid shrink-0 justify-items-center gap-1">
      <span className="relative block size-14 overflow-hidden rounded-round bg-sunken ring-1 ring-line">
        {address && area && (
          <img src={address} alt="" className="absolute max-w-none" style={placeIn(area)} />
        )}
      </span>
      <figcaption className="text-fine text-ink-soft">Preview</figcaption>
    </figure>
  )
}
