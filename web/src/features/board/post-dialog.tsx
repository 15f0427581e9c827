import { PostForm } from '../../shared/request-form/post-form.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

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
