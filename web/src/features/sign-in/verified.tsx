import { paths } from '@sought/contract/paths'
import { useSession } from '../../data/session.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { OutcomePage } from './outcome-page.tsx'

/** Shown when the email address is verified. */
export function Verified({ title }: { title: string }) {
  const signedIn = useSession().state === 'signed-in'
  return (
    <OutcomePage
      title={title}
      action={
        signedIn ? (
          <LinkButton to={paths.profile()}>Go to Your Profile</LinkButton>
        ) : (
          <LinkButton to={paths.auth()}>Sign In</LinkButton>
        )
      }
    >
      We can now reach you at this address.
    </OutcomePage>
  )
}
