import { Button } from '../../../ui/forms/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

/** Shows new recovery codes. The server has only their hashes, so they cannot be shown again. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`
  return (
    <Dialog
      open
      width="slip"
      title="Save your recovery codes"
      description="Your second factor is on. If you lose your phone or passkey, you can sign in once with each of these codes. We cannot show them again."
      onOpenChange={(open) => !open && onClose()}
      actions={
        <>
          <Button asChild variant="secondary">
            <a href={file} download="sought-recovery-codes.txt">
              Download Codes
            </a>
          </Button>
          <Button onClick={onClose}>I Saved Them</Button>
        </>
      }
    >
      <ul aria-label="Recovery codes" className="grid gap-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
