import { Button, TextField } from '../../ui/toolkit';

interface WordsAnswerProps {
  placeholder: string;
  text: string;
  setText: (text: string) => void;
  answer: () => void;
}

/** A box for an answer in the person's own words. */
export function WordsAnswer({ placeholder, text, setText, answer }: WordsAnswerProps) {
  return (
    <div class="ask-text">
      <TextField label="Answer" placeholder={placeholder} value={text} onInput={setText} onEnter={answer} main />
      <Button kind="secondary" onClick={answer}>
        Answer
      </Button>
    </div>
  );
}
