import { type ReactNode, useEffect } from 'react'
import { Brand } from '../../ui/brand.tsx'

/** The layout of pages shown before login. */
export function AuthPage({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Docent`
  }, [title])
  return (
    <main id="main" className="gate">
      <Brand />
      <div className="gate-card">
        <div className="stack tight">
          <h1>{title}</h1>
          {about && <p className="quiet">{about}</p>}
        </div>
        {children}
      </div>
    </main>
  )
}
