import { Dialog } from '../../ui/dialog.tsx'
import { PostForm } from './post-form.tsx'

/** The post form in a dialog. Closing it keeps the draft. */
export function PostDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Post a Request"
      description="Say what you want. Sellers who have it will come to you."
    >
      <PostForm userId={userId} onDone={onClose} />
    </Dialog>
  )
}
