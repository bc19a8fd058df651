import { createHash } from 'node:crypto';

/** `unknown`: there is no redirect target; `unavailable` and `busy`: a later attempt may succeed. */
export type CallbackPage = 'unknown' | 'unavailable' | 'busy';

interface Texts {
  title: string;
  text: string;
  advice: string;
}

/** connect 12: the languages of Connect. */
const TEXTS = {
  en: {
    unknown: {
      title: 'Please return to the app',
      text: 'This link back from your bank has already been used, has expired, or belongs to another session. Nothing was linked.',
      advice:
        'Close this page, return to the app you came from, and continue or start again there.',
    },
    unavailable: {
      title: 'One moment, please',
      text: 'We cannot return you to the app right now. Nothing has been lost.',
      advice: 'Wait a moment, then reload this page.',
    },
    busy: {
      title: 'One moment, please',
      text: 'Your network sends more requests than this page accepts at once. Nothing has been lost.',
      advice: 'Wait a moment, then reload this page.',
    },
  },
  es: {
    unknown: {
      title: 'Vuelva a la aplicación',
      text: 'Este regreso desde su banco ya se usó, tardó demasiado o pertenece a otra sesión. No se ha vinculado nada con él.',
      advice:
        'Cierre esta página, vuelva a la aplicación de la que venía y continúe o empiece de nuevo allí.',
    },
    unavailable: {
      title: 'Un momento, por favor',
      text: 'Ahora mismo no es posible llevarle de vuelta a la aplicación. No se ha perdido nada.',
      advice: 'Espere un poco y vuelva a cargar esta página.',
    },
    busy: {
      title: 'Un momento, por favor',
      text: 'Su red envía más solicitudes de las que esta página acepta a la vez. No se ha perdido nada.',
      advice: 'Espere un poco y vuelva a cargar esta página.',
    },
  },
  fr: {
    unknown: {
      title: 'Veuillez revenir à l’application',
      text: 'Ce retour de votre banque a déjà été utilisé, a trop duré ou appartient à une autre session. Rien n’a été associé.',
      advice:
        'Fermez cette page, revenez à l’application d’où vous venez, puis continuez ou recommencez.',
    },
    unavailable: {
      title: 'Un instant, s’il vous plaît',
      text: 'Nous ne pouvons pas vous ramener à l’application pour le moment. Rien n’est perdu.',
      advice: 'Attendez un peu, puis rechargez cette page.',
    },
    busy: {
      title: 'Un instant, s’il vous plaît',
      text: 'Votre réseau envoie plus de requêtes que cette page n’en accepte à la fois. Rien n’est perdu.',
      advice: 'Attendez un peu, puis rechargez cette page.',
    },
  },
  de: {
    unknown: {
      title: 'Bitte kehren Sie zur App zurück',
      text: 'Dieser Rückweg von Ihrer Bank wurde schon benutzt, hat zu lange gedauert oder gehört zu einer anderen Sitzung. Es wurde nichts verknüpft.',
      advice:
        'Schließen Sie diese Seite, gehen Sie zur App zurück, aus der Sie kamen, und machen Sie dort weiter oder beginnen Sie neu.',
    },
    unavailable: {
      title: 'Einen Moment bitte',
      text: 'Sie können gerade nicht zur App zurückgebracht werden. Es ist nichts verloren.',
      advice: 'Warten Sie kurz und laden Sie diese Seite neu.',
    },
    busy: {
      title: 'Einen Moment bitte',
      text: 'Ihr Netzwerk sendet mehr Anfragen, als diese Seite auf einmal annimmt. Es ist nichts verloren.',
      advice: 'Warten Sie kurz und laden Sie diese Seite neu.',
    },
  },
  ar: {
    unknown: {
      title: 'يرجى العودة إلى التطبيق',
      text: 'طريق العودة هذا من البنك استُخدم من قبل، أو استغرق وقتًا طويلًا، أو يخص جلسة أخرى. لم يُربط به أي شيء.',
      advice: 'أغلق هذه الصفحة، وعد إلى التطبيق الذي أتيت منه، ثم تابع أو ابدأ من جديد هناك.',
    },
    unavailable: {
      title: 'لحظة من فضلك',
      text: 'لا يمكن إعادتك إلى التطبيق الآن. لم يُفقد أي شيء.',
      advice: 'انتظر قليلًا ثم أعد تحميل هذه الصفحة.',
    },
    busy: {
      title: 'لحظة من فضلك',
      text: 'ترسل شبكتك طلبات أكثر مما تقبله هذه الصفحة في وقت واحد. لم يُفقد أي شيء.',
      advice: 'انتظر قليلًا ثم أعد تحميل هذه الصفحة.',
    },
  },
} as const satisfies Record<string, Record<CallbackPage, Texts>>;
type Language = keyof typeof TEXTS;
const LANGUAGES = Object.keys(TEXTS) as Language[];
const RIGHT_TO_LEFT: readonly Language[] = ['ar'];

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.55 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: 100%; max-width: 34rem; padding: 2rem 1.25rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; text-wrap: balance; }
p { margin: 0 0 .75rem; }
`;

/** Allows the page's own style sheet and nothing else. */
export const CALLBACK_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * A static page for a browser that returned from a bank. It reflects nothing of the request but its
 * language.
 */
export function callbackPage(page: CallbackPage, acceptLanguage: string): string {
  const language = preferredLanguage(acceptLanguage);
  const { title, text, advice } = TEXTS[language][page];
  return `<!doctype html>
<html lang="${language}" dir="${RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p>${advice}</p>
</main>
</body>
</html>
`;
}

/** The first supported language in the header; browsers list them in order of weight. */
function preferredLanguage(acceptLanguage: string): Language {
  const asked = acceptLanguage
    .split(',', 20)
    .map((entry) => /^\s*([a-z]{2,3})\b/i.exec(entry)?.[1]?.toLowerCase());
  for (const language of asked) {
    const known = LANGUAGES.find((name) => name === language);
    if (known !== undefined) return known;
  }
  return 'en';
}
