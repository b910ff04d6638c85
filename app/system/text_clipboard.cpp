#include "app/system/clipboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#ifdef TONESCOPE_HAVE_XCB
#include <poll.h>
#include <xcb/xcb.h>
#endif

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ui/widgets/imgui_compat.h"
#include "ui/widgets/text_end.h"

#ifdef TONESCOPE_HAVE_XCB
/// GLFW's own; null where this GLFW has no part for X11, and a null pointer where another one is in use.
extern "C" __attribute__((weak)) void* glfwGetX11Display();
#endif

namespace tonescope {
namespace {

#ifdef TONESCOPE_HAVE_XCB
/// Reads the selection over a connection of its own, so that GLFW's events stay GLFW's.
class X11Selection {
  public:
    X11Selection() : connection_(xcb_connect(nullptr, nullptr)) {
        if (!is_connected()) return;
        window_ = xcb_generate_id(connection_);
        xcb_create_window(connection_, 0, window_, xcb_setup_roots_iterator(xcb_get_setup(connection_)).data->root, 0,
                          0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, nullptr);
        clipboard_ = atom("CLIPBOARD");
        utf8_ = atom("UTF8_STRING");
        in_parts_ = atom("INCR");
    }
    ~X11Selection() { xcb_disconnect(connection_); }
    X11Selection(const X11Selection&) = delete;
    X11Selection& operator=(const X11Selection&) = delete;

    xcb_window_t own = XCB_NONE;  // who owned the clipboard when the window's own text was put there

    bool works() const {
        return is_connected() && clipboard_ != XCB_NONE && utf8_ != XCB_NONE && in_parts_ != XCB_NONE;
    }

    /// Asks the server, which answers whatever the owner does.
    xcb_window_t owner() {
        const Answer<xcb_get_selection_owner_reply_t> answer(
            xcb_get_selection_owner_reply(connection_, xcb_get_selection_owner(connection_, clipboard_), nullptr));
        return answer ? answer->owner : XCB_NONE;
    }

    std::string read() {
        if (const std::optional<std::string> text = read_as(utf8_)) return *text;
        return in_utf8(read_as(XCB_ATOM_STRING).value_or(""));  // older programs, in Latin-1
    }

  private:
    struct Free {
        void operator()(void* block) const { std::free(block); }
    };
    template <class T>
    using Answer = std::unique_ptr<T, Free>;
    bool is_connected() const { return xcb_connection_has_error(connection_) == 0; }

    static constexpr auto kAnswerWithin = std::chrono::milliseconds(400);

    xcb_atom_t atom(std::string_view name) {
        const Answer<xcb_intern_atom_reply_t> answer(xcb_intern_atom_reply(
            connection_, xcb_intern_atom(connection_, 0, uint16_t(name.size()), name.data()), nullptr));
        return answer ? answer->atom : XCB_NONE;
    }

    static std::string in_utf8(std::string_view latin1) {
        std::string text;
        for (const char each : latin1) {
            const auto code = static_cast<unsigned char>(each);
            if (code >= 0x80) text += char(0xC0 | code >> 6);
            text += code < 0x80 ? each : char(0x80 | (code & 0x3F));
        }
        return text;
    }

    /// Nothing where the owner has no text of this kind.
    std::optional<std::string> read_as(xcb_atom_t kind) {
        // A late answer to an earlier question must not pass for this one's.
        const xcb_atom_t property = atom("TONESCOPE_PASTE_" + std::to_string(++questions_ % 64));
        xcb_delete_property(connection_, window_, property);
        xcb_convert_selection(connection_, window_, clipboard_, kind, property, XCB_CURRENT_TIME);
        xcb_flush(connection_);
        switch (wait_for(property, kind)) {
            case Reply::refusal:
                return {};
            case Reply::silence:
                return "";
            case Reply::text:
                break;
        }
        constexpr uint32_t kMax_words = 1 << 20;
        const Answer<xcb_get_property_reply_t> answer(xcb_get_property_reply(
            connection_, xcb_get_property(connection_, 1, window_, property, XCB_GET_PROPERTY_TYPE_ANY, 0, kMax_words),
            nullptr));
        // What comes in parts is too long for a field.
        if (!answer || answer->type == in_parts_ || answer->format != 8) return "";
        return std::string(static_cast<const char*>(xcb_get_property_value(answer.get())),
                           size_t(xcb_get_property_value_length(answer.get())));
    }

    enum class Reply { text, refusal, silence };

    Reply wait_for(xcb_atom_t property, xcb_atom_t kind) {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point end = Clock::now() + kAnswerWithin;
        while (works()) {
            while (const Answer<xcb_generic_event_t> event{xcb_poll_for_event(connection_)}) {
                if ((event->response_type & 0x7F) != XCB_SELECTION_NOTIFY) continue;
                const auto* notify = reinterpret_cast<const xcb_selection_notify_event_t*>(event.get());
                if (notify->property == property) return Reply::text;
                if (notify->property == XCB_NONE && notify->target == kind) return Reply::refusal;
            }
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
            if (left <= 0) break;
            pollfd socket{xcb_get_file_descriptor(connection_), POLLIN, 0};
            ::poll(&socket, 1, int(left));
        }
        return Reply::silence;
    }

    xcb_connection_t* connection_;
    xcb_window_t window_ = XCB_NONE;
    xcb_atom_t clipboard_ = XCB_NONE, utf8_ = XCB_NONE, in_parts_ = XCB_NONE;
    unsigned questions_ = 0;
};
#endif

class TextClipboard {
  public:
    explicit TextClipboard(GLFWwindow* window) : window_(window) {
#ifdef TONESCOPE_HAVE_XCB
        if (glfwGetX11Display != nullptr && glfwGetX11Display() != nullptr) selection_.emplace();
        if (selection_ && !selection_->works()) selection_.reset();
#endif
        auto&& io = ImGui::GetPlatformIO();
        io.Platform_ClipboardUserData = this;
        io.Platform_SetClipboardTextFn = [](auto*, const char* text) { current().put(text); };
        io.Platform_GetClipboardTextFn = [](auto*) { return current().get(); };
    }

  private:
    static TextClipboard& current() {
        return *static_cast<TextClipboard*>(ImGui::GetPlatformIO().Platform_ClipboardUserData);
    }
    void put(const char* text) {
        glfwGetError(nullptr);
        glfwSetClipboardString(window_, text);
        if (glfwGetError(nullptr) != GLFW_NO_ERROR) return;
        text_ = text;
#ifdef TONESCOPE_HAVE_XCB
        if (selection_) selection_->own = selection_->owner();
#endif
    }
    /// Empty where there is no text; valid until the next call.
    const char* get() {
        update();
        ui::end_safely(text_);
        return text_.c_str();
    }
    void update() {
#ifdef TONESCOPE_HAVE_XCB
        if (selection_) {
            // The window's own text is here: while this waits, GLFW answers nobody.
            const xcb_window_t owner = selection_->owner();
            if (owner == selection_->own && owner != XCB_NONE) return;
            selection_->own = XCB_NONE;
            text_ = owner == XCB_NONE ? "" : selection_->read();
            return;
        }
#endif
        const char* text = glfwGetClipboardString(window_);
        text_ = text == nullptr ? "" : text;
    }

    GLFWwindow* window_;
    std::string text_;
#ifdef TONESCOPE_HAVE_XCB
    std::optional<X11Selection> selection_;  // empty: not X11
#endif
};

}  // namespace

std::shared_ptr<void> make_text_clipboard(GLFWwindow* window) {
    return std::make_shared<TextClipboard>(window);
}

}  // namespace tonescope
