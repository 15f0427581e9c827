import type { CurrentUser } from '@sought/contract/accounts'
import { AVATAR_MAX_BYTES } from '@sought/contract/constants'
import { Camera } from 'lucide-react'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import { toast } from '../../../data/toasts.ts'
import { Button } from '../../../ui/forms/button.tsx'

/** Loaded only when a file is selected. */
const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

/** Chooses and crops a new picture. The current one is in the header above the tabs. */
export function AvatarEditor({ user }: { user: Pick<CurrentUser, 'profileImageUrl'> }) {
  const [file, setFile] = useState<File | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const hintId = useId()
  const choose = (chosen: File) => {
    const problem = checkFile(chosen)
    if (problem) toast({ ...problem, variant: 'destructive' })
    else setFile(chosen)
  }
  return (
    <>
      <div className="grid justify-items-start gap-2">
        <Button variant="secondary" aria-describedby={hintId} onClick={() => input.current?.click()}>
          <Camera aria-hidden="true" />
          {user.profileImageUrl ? 'Change Picture' : 'Choose Picture'}
        </Button>
        <p id={hintId} className="text-fine text-ink-soft">
          JPG, PNG, GIF or WebP, under 5MB.
        </p>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          if (chosen) choose(chosen)
          target.value = ''
        }}
      />
      {file && (
        <Suspense>
          <CropDialog file={file} onClose={() => setFile(null)} />
        </Suspense>
      )}
    </>
  )
}

/** The checks that the browser can make before the upload. */
function checkFile(file: File): { title: string; description: string } | null {
  if (!file.type.startsWith('image/')) {
    return { title: 'Invalid file type', description: 'Please upload an image file (JPG, PNG, etc.)' }
  }
  if (file.size > AVATAR_MAX_BYTES) {
    return { title: 'File Too Large', description: 'Please select an image smaller than 5MB.' }
  }
  return null
}
