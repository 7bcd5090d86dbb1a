# Read after the user's own files.
if status is-interactive
    set -g __ts_count 0

    function __ts_start --on-event fish_preexec
        set -g __ts_count (math $__ts_count + 1)
        set -l line "$argv[1]"
        test (string length -- "$line") -le 6000; or set line ''
        printf '\e]7717;C;@NONCE@;%s;%s;%s\a' $__ts_count \
            (string escape --style=url -- "$PWD") \
            (string escape --style=url -- "$line") >/dev/tty
    end

    function __ts_done --on-event fish_postexec
        set -l code $status
        set -g __ts_count (math $__ts_count + 1)
        printf '\e]7717;D;@NONCE@;%s;%s\a' $__ts_count $code >/dev/tty
    end

    function __ts_refused --on-event fish_posterror
        printf '\e]7717;E;@NONCE@\a' >/dev/tty
    end

    function __ts_cancelled --on-event fish_cancel
        printf '\e]7717;K;@NONCE@\a' >/dev/tty
    end

    function __ts_prompt --on-event fish_prompt
        printf '\e]7717;P;@NONCE@\a' >/dev/tty
    end
end
